import WidgetCommand

WidgetCommandMain.run()
