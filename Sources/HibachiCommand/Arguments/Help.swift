/// What `hibachi --help` prints.
let helpText = """
  Hibachi, a local emulator of Cloud Firestore and of Cloud Storage for Firebase.

  Usage:
    hibachi start [flags]              run a server until it is interrupted
    hibachi exec [flags] -- COMMAND …  run a command beside a server of its own that keeps nothing
    hibachi rules check FILE           say what the compiler says of security rules; status 1 if they have errors
    hibachi clear [flags]              delete all documents of a database; --database ID ((default))
    hibachi status [flags]             say what a running server is
    hibachi healthcheck [flags]        end with status 0 if a server answers, else 1

  Flags of start and exec:
    --host HOST            address to listen on (127.0.0.1)
    --port PORT            port for gRPC and REST; 0 takes any free one (8080; exec: 0)
    --project ID           the project that is expected; requests for another are served with a warning
    --storage-port PORT    port for Cloud Storage; 0 takes any free one (9199; exec: 0)
    --storage-key FILE     a service account's key: only its signatures of URLs count; without it any does
    --no-storage           leave Cloud Storage out
    --data-dir FOLDER      where documents and objects are kept (.hibachi; exec: nowhere)
    --durability LEVEL     what a commit survives: normal, the end of the process; full, a power cut (normal)
    --ephemeral            keep documents in memory and objects in a temporary folder
    --indexes WHEN         when queries get indexes: adaptive, once they pay; always, for tests; never (adaptive)
    --retention DURATION   how long old states of documents can be read (1h)
    --concurrency MODE     pessimistic: transactions lock what they read; optimistic: they check it at the end (pessimistic)
    --lock-grace DURATION  how long a transaction waits for a document that another one has read (200ms)
    --lock-wait DURATION   how long a transaction with locks may be idle while others wait (2s)
    --limits on|off        limits of production that the official emulator does not have (on)
    --rules FILE           security rules of Cloud Firestore; without them everything is allowed
    --storage-rules FILE   the same of Cloud Storage, for all buckets
    --allow-origin ORIGIN  origins, separated by commas, of pages that may use the control endpoints
    --log-level LEVEL      trace, debug, info, warning or error (info; exec: warning)
    --log-format FORMAT    text or json (text)

  Flags of start:
    --port-file FILE       is told the port of Firestore, and in a second line that of Storage
    --parent-pid PID       end with the process of this number

  clear, status and healthcheck take --host, --port and --project. --help and --version stand alone.

  A variable such as HIBACHI_PORT stands for a flag that is not given; after that counts what firebase.json and
  .firebaserc say in this folder or above: ports and hosts of the emulators, the rules of
  Firestore and of Cloud Storage, and the project.

  Called as gcloud, cloud_firestore_emulator or fake-gcs-server, it takes the arguments of those.

  """
