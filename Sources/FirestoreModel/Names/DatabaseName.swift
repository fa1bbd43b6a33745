package import Coding

/// `projects/{project}/databases/{database}`.
package struct DatabaseName: Hashable, Sendable {
  package var project: UTF8String
  package var database: UTF8String

  package init(project: UTF8String, database: UTF8String) {
    self.project = project
    self.database = database
  }

  /// The name as it stands on the wire.
  package var text: String {
    "projects/\(project.string)/databases/\(database.string)"
  }
}
