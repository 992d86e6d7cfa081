import '../../plugins/_template/plugin.test.ts'
