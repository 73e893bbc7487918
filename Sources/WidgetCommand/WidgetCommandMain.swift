/// The command line, from the process's arguments to its exit status.
package enum WidgetCommandMain {
  package static func run() {}
}
