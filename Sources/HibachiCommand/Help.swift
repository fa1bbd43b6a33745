/// What `hibachi --help` prints.
let helpText = """
  Hibachi, a local emulator of Cloud Firestore and of Cloud Storage for Firebase.

  Usage: hibachi start [flags]

    --host HOST            address to listen on (127.0.0.1)
    --port PORT            port for gRPC and REST; 0 takes any free one (8080)
    --project ID           the project that is expected; requests for another are served with a warning
    --storage-port PORT    port for Cloud Storage; 0 takes any free one (9199)
    --data-dir FOLDER      where documents and objects are kept (.hibachi)
    --durability LEVEL     what a commit survives: normal, the end of the process; full, a power cut (normal)
    --ephemeral            keep documents in memory and objects in a temporary folder
    --allow-origin ORIGIN  origins, separated by commas, of pages that may use the control endpoints
    --log-level LEVEL      trace, debug, info, warning or error (info)
    --log-format FORMAT    text or json (text)
    --help, --version

  A variable such as HIBACHI_PORT stands for a flag that is not given.

  """
