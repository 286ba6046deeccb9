import { agentOperations } from '#src/catalog/agent-pages.ts'
import { filesAtMost, type Upload } from '#src/core/input/upload.ts'
import { answered, told, type Told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { onceIn } from '../once.ts'
import { again, type FormState } from './form-page.ts'
import { agentOf, agentView } from './frame.ts'
import { knowledgeView } from './knowledge-views.ts'

const itemsShown = 30
/** For a text of 50,000 characters, each of which may take 9 bytes. */
const formBytesAtMost = 524_288

/** What an agent was given to know, and the forms by which a person gives it more. */
export function knowledgeScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.agent(id, ['knowledge'])
  return {
    here,
    formBytesAtMost,
    files: { member: 'files', most: filesAtMost },
    show: (query, looking, typed) => shown(looking, id, { typed }, query),
    async submit(form, looking, files) {
      const action = form.get('action') ?? ''
      const change = changes.get(action)
      if (!change) return { goTo: here }
      const { refusal } = await change(looking, id, form, files)
      if (!refusal) return { goTo: terms.paths.agent(id, ['knowledge'], { done: action }) }
      const names = { '/content': 'content', '/title': 'title', '/url': 'url', '/files': 'files' }
      return again(refusal, form, names, (state) => shown(looking, id, state))
    },
  }
}

async function shown(
  looking: Looking,
  id: string,
  state: FormState,
  query = new URLSearchParams(),
): Promise<ConsoleView> {
  const { terms, as } = looking
  const cursor = query.get('cursor')
  const page = { char_id: id, limit: itemsShown, ...(cursor !== null && { cursor }) }
  const [agent, items] = await Promise.all([
    agentOf(looking, id),
    answered(terms, agentOperations.knowledge.list, page, as),
  ])
  const [done, forgets] = [query.get('done'), query.get('forget')]
  const main = knowledgeView(looking, id, { items, done, forgets, ...state })
  return agentView(looking, agent, { part: 'knowledge', main })
}

type Change = (
  looking: Looking,
  char_id: string,
  form: URLSearchParams,
  files: readonly Upload[],
) => Promise<Told<unknown>>

const { knowledge } = agentOperations

const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  [
    'text',
    ({ terms, as }, char_id, form) => {
      const content = (form.get('content') ?? '').replaceAll('\r\n', '\n')
      const input = { char_id, title: form.get('title') ?? '', content }
      return told(terms, knowledge.addText, input, { ...as, idempotencyKey: onceIn(form) })
    },
  ],
  [
    'link',
    ({ terms, as }, char_id, form) => {
      const input = { char_id, url: (form.get('url') ?? '').trim() }
      const asked = { ...as, idempotencyKey: onceIn(form) }
      return form.get('follow') === 'true'
        ? told(terms, knowledge.follow, input, asked)
        : told(terms, knowledge.learn, input, asked)
    },
  ],
  [
    'files',
    ({ terms, as }, char_id, form, files) =>
      told(
        terms,
        knowledge.addFiles,
        { char_id, files: [...files] },
        {
          ...as,
          idempotencyKey: onceIn(form),
        },
      ),
  ],
  [
    'forget',
    ({ terms, as }, char_id, form) => {
      const item_id = (form.get('item_id') ?? '').slice(0, 64)
      return told(terms, knowledge.remove, { char_id, item_id }, as)
    },
  ],
])
