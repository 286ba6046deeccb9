import type { MemoryEntry } from '#src/agents/memory/entry.ts'
import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { timeOf } from '#src/views/moments.ts'
import { facts, literal, name, outside } from '#src/views/parts.ts'
import { answered, told, type Terms } from '#protocol/web/ask.ts'
import type { ConsoleView } from '#protocol/web/console/frame.ts'
import { part } from '#protocol/web/console/parts.ts'
import type { Looking } from '#protocol/web/console/reader.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { numberIn } from '#protocol/web/fields.ts'
import { agentOf, agentView } from '../frame.ts'

interface Place {
  namespace: string
  key: string
}

/** One thing that an agent remembers, whole, and the button with which it forgets it. */
export function memoryEntryScreen(terms: Terms, id: string, place: Place): ConsoleScreen {
  const { namespace, key } = place
  return {
    here: terms.paths.agent(id, ['memory', namespace, key]),
    show: (_query, looking) => shown(looking, id, place),
    async submit(form, looking) {
      if (form.get('action') !== 'forget') return shown(looking, id, place)
      const asked = { ...looking.as, expected: numberIn(form.get('revision')) }
      const sought = { char_id: id, ...place }
      const { refusal } = await told(terms, agentOperations.memory.remove, sought, asked)
      if (refusal?.code === 'revision_mismatch') return shown(looking, id, place, true)
      if (refusal && refusal.code !== 'memory_not_found') throw refusal
      return { goTo: terms.paths.agent(id, ['memory', namespace], { done: 'forgotten' }) }
    },
  }
}

async function shown(
  looking: Looking,
  char_id: string,
  place: Place,
  isLate = false,
): Promise<ConsoleView> {
  const { terms, as } = looking
  const [agent, entry] = await Promise.all([
    agentOf(looking, char_id),
    answered(terms, agentOperations.memory.get, { char_id, ...place }, as),
  ])
  const main = html`${isLate && late} ${viewOf(looking, char_id, entry)}`
  return agentView(looking, agent, { part: 'memory', main, status: isLate ? 409 : 200 })
}

const late = html`<p class="problem" role="alert">
  It was changed meanwhile, so nothing was forgotten. Here is what it remembers now.
</p>`

/** Of a value of 64 KB. */
const charactersAtMost = 70_000

function viewOf({ terms: { paths }, at }: Looking, id: string, entry: MemoryEntry): Html {
  const { namespace, key, value, revision, updated_at } = entry
  const all = html`<a href="${paths.agent(id, ['memory', namespace])}"
    >All in <code>${name(namespace, 128)}</code></a
  >`
  return html`${part(
      html`Memory: <code>${name(`${namespace}/${key}`, 260)}</code>`,
      'entry',
      html`${outside(entry)} ${literal(value, 'What it remembers', charactersAtMost)}
      ${facts([
        ['Last put', timeOf(updated_at, at)],
        ['Version', revision],
      ])}`,
      all,
    )}
    <form method="post">
      <input type="hidden" name="revision" value="${revision}" />
      <p class="soft">What an agent forgets is not kept: there is no way back.</p>
      <div class="buttons">
        <button class="bad" name="action" value="forget">Let it forget this</button>
      </div>
    </form>`
}
