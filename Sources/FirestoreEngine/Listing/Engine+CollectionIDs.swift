package import Coding
package import FirestoreModel

extension Engine {
  /// At most `limit` ids of the collections below `parent` that hold documents or have some below them, in the order of their
  /// bytes, from the one behind `id` on.
  package func collectionIDs(
    of parent: ParentName, behind id: UTF8String?, limit: Int, at point: ReadPoint?
  ) throws(FirestoreError) -> [UTF8String] {
    try read(parent.database, at: point) { view in
      try view.childIDs(of: parent.document?.segments ?? [], behind: id, limit: limit)
    }
  }
}
