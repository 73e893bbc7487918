// Sizes, paths and budgets are part of this module's signatures: a user imports
// WidgetImage alone.
@_exported public import WidgetCore
