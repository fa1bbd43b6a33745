/// What `hibachi --help` prints.
let helpText = """
  Hibachi, a local emulator of Cloud Firestore.

  Usage: hibachi start [flags]

    --host HOST            address to listen on (127.0.0.1)
    --port PORT            port for gRPC and REST; 0 takes any free one (8080)
    --project ID           the project that is expected; requests for another are served with a warning
    --data-dir FOLDER      where documents are kept (.hibachi)
    --durability LEVEL     what a commit survives: normal, the end of the process; full, a power cut (normal)
    --ephemeral            keep documents in memory only
    --allow-origin ORIGIN  origins, separated by commas, of pages that may use the control endpoints
    --log-level LEVEL      trace, debug, info, warning or error (info)
    --log-format FORMAT    text or json (text)
    --help, --version

  A variable such as HIBACHI_PORT stands for a flag that is not given.

  """
