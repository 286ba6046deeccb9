import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { AnswerOf } from '../ask.ts'
import { lines, live, livePart, nextPage, part } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { area, field, problemOfAll, tick } from '../fields.ts'
import { onceField } from '../once.ts'
import { name } from '#src/views/parts.ts'
import { surely, type FormState } from './form-page.ts'
import { lineOfItem } from './lines.ts'

/** What the page of what an agent knows shows. */
interface Shown extends FormState {
  items: AnswerOf<typeof agentOperations.knowledge.list>
  done: string | null
  /** The item that may be forgotten. */
  forgets: string | null
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['text', 'The text is added, and is read now.'],
  ['link', 'The page is read soon.'],
  ['files', 'The files are added, and are read now.'],
  ['forget', 'It is forgotten.'],
])

/** The items, and the forms that add some. */
export function knowledgeView(looking: Looking, id: string, shown: Shown): Html {
  const { paths } = looking.terms
  const here = paths.agent(id, ['knowledge'])
  const { items, done, forgets } = shown
  const asked = items.items.find((item) => item.id === forgets)
  const words = doneWords.get(done ?? '')
  const next = items.next_cursor
  const more = next === null ? undefined : paths.agent(id, ['knowledge'], { cursor: next })
  const all = items.items.map((item) => {
    const line = lineOfItem(looking, item)
    const forget = paths.agent(id, ['knowledge'], { forget: item.id })
    return { ...line, end: html`<a href="${forget}">Forget it…</a> ${line.end}` }
  })
  const list = html`${lines(all, 'It was given nothing to read yet.')} ${nextPage(more)}`
  return live(
    paths.events,
    here,
    html`${words !== undefined && html`<p class="done" role="status">${words}</p>`}
      ${asked && surely(html`Shall it forget ${name(asked.title)}?`, html`<button class="bad" name="action" value="forget">Forget it</button>`, ['item_id', asked.id], here)}
      <div class="panes">
        <div>${livePart('items', part('What it was given to know', 'known', list))}</div>
        <div>${filesForm(shown)} ${linkForm(shown)} ${textForm(shown)}</div>
      </div>`,
  )
}

/** What was wrong, in the form that was sent. */
function stateOf({ typed, problems = {} }: FormState, action: string) {
  const isThis = typed?.get('action') === action
  return { typed: isThis ? typed : undefined, problems: isThis ? problems : {} }
}

function filesForm(shown: FormState): Html {
  const { problems } = stateOf(shown, 'files')
  return part(
    'Files',
    'files-title',
    html`<form method="post" enctype="multipart/form-data" class="card">
      ${problemOfAll(problems)} ${onceField()}
      ${field({
        name: 'files',
        label: 'Drop files here, or choose some',
        hint: 'Up to ten of 10 MB each: text, Markdown, PDF, Word, CSV, JSON or HTML.',
        attributes: html`type="file" multiple required class="drop"`,
        problems,
      })}
      <button class="main" name="action" value="files">Add the files</button>
    </form>`,
  )
}

function linkForm(shown: FormState): Html {
  const { typed, problems } = stateOf(shown, 'link')
  return part(
    'A page of the web',
    'link-title',
    html`<form method="post" class="card" novalidate>
      ${problemOfAll(problems)} ${onceField()}
      ${field({
        name: 'url',
        label: 'Its address',
        attributes: html`type="url" autocomplete="off" placeholder="https://" required`,
        value: typed?.get('url') ?? '',
        problems,
      })}
      ${tick({
        name: 'follow',
        label: 'Read it again every week',
        isTicked: typed?.get('follow') === 'true',
        problems: {},
      })}
      <button name="action" value="link">Have it read</button>
    </form>`,
  )
}

function textForm(shown: FormState): Html {
  const { typed, problems } = stateOf(shown, 'text')
  return part(
    'A text',
    'text-title',
    html`<form method="post" class="card" novalidate>
      ${problemOfAll(problems)} ${onceField()}
      ${field({
        name: 'title',
        label: 'Title',
        attributes: html`maxlength="200" dir="auto" autocomplete="off" required`,
        value: typed?.get('title') ?? '',
        problems,
      })}
      ${area({
        name: 'content',
        label: 'Text',
        attributes: html`rows="6" dir="auto" autocomplete="off" required`,
        value: typed?.get('content') ?? '',
        problems,
      })}
      <button name="action" value="text">Add the text</button>
    </form>`,
  )
}
