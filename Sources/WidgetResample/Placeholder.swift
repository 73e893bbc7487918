// WidgetResample
