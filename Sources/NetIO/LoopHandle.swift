/// What owns a handle of libuv and is retained by it until the handle is closed.
///
/// The handle's `data` is an unbalanced reference to this object; the callback of the close gives it back.
package class LoopHandle {
  /// Begins to close the handle; harmless when it is closing already. Called on the loop.
  package func close() {}

  init() {}
}
