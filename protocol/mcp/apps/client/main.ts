import { App } from '@modelcontextprotocol/ext-apps'
import type { ViewName } from '#src/core/html/view-names.ts'
import { views } from '#src/views/views.ts'
import { Shown } from './shown.ts'

const root = document.documentElement
// The document was made for one of them.
const view = views[root.dataset['view'] as ViewName]
if (!view) throw new Error('the document names no view')

const app = new App(
  { name: `Abode: ${view.title}`, version: '1.0.0' },
  { availableDisplayModes: ['inline', 'fullscreen'] },
)
await new Shown(app, view, root).begin()
