import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { RunEventRecord } from '#src/runs/events.ts'
import { literal, name } from '#src/views/parts.ts'
import { part } from '../console/parts.ts'

/** The events that keep what a model or an agent was asked. */
const kinds: ReadonlySet<string> = new Set(['model.request', 'lease.given'])

/** The last time that the work was given to someone, as far as these events tell. */
export function askedIn(events: readonly RunEventRecord[]): RunEventRecord | undefined {
  return events.filter(({ type }) => kinds.has(type)).toSorted((a, b) => b.seq - a.seq)[0]
}

/** What could be seen by who did the work. @param knowledgePage where what the agent knows is shown */
export function sawOf({ data }: RunEventRecord, knowledgePage: string): Html {
  const { system_prompt, prompt, knowledge, tools } = data
  const [items, names] = [listOf(knowledge), listOf(tools)]
  const isKept = typeof prompt === 'string' || typeof system_prompt === 'string'
  return part(
    'What it saw',
    'saw',
    html`<div class="card">
      ${!isKept && html`<p class="soft">The texts of prompts are not kept in this account.</p>`}
      ${foldedOf('Who it is (system prompt)', system_prompt)} ${foldedOf('The prompt', prompt)}
      ${
        items.length > 0 &&
        html`<p>
          It was shown pieces of
          <a href="${knowledgePage}">${count(items.length, 'item')} of its knowledge</a>.
        </p>`
      }
      <p class="soft">
        ${names.length === 0 ? 'It had no tools.' : html`Tools: ${name(names.join(', '), 400)}`}
      </p>
    </div>`,
  )
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function foldedOf(title: string, text: unknown): Html | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  return html`<details id="saw-${title.length}">
    <summary>${title}</summary>
    ${literal(text, title)}
  </details>`
}
