import { Html, html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Entry } from './entries.ts'
import { soughtAtMost, type Found } from './find.ts'
import type { Chapter, Shape } from './chapter.ts'
import type { Row } from './rows.ts'
import type { TypeText } from './types.ts'

const root = '/api-reference'
const contractLink = { rel: 'service-desc', href: '/openapi.agent.json', type: 'application/json' }

/** All groups, or the search results. */
export function indexPage(
  chapters: readonly Chapter[],
  asked: { sought: string; found: readonly Found[] } | undefined,
): View {
  const main = html`<p>
      Every operation is a call of REST and, except those marked as REST only, a tool of the MCP
      door at
      <code>/mcp</code> and a method of the A2A door at <code>/a2a/</code>. The same for programs is
      the <a href="/openapi.agent.json">OpenAPI document</a>; <a href="/guides">the guides</a> show
      how the operations go together.
    </p>
    ${search(asked?.sought ?? '')} ${asked ? results(asked) : chapters.map(chapterList)}`
  return { status: 200, title: 'API reference', main: compact(main), links: linksOf(root) }
}

/** One group, with everything about its operations. */
export function groupPage({ slug, title, description, entries, shapes }: Chapter): View {
  const main = html`<p>${description}</p>
    ${search('')}
    <nav aria-label="Operations of this page">
      <ul>
        ${entries.map(({ name, summary }) => html`<li><a href="#${name}">${name}</a>: ${summary}</li>`)}
      </ul>
    </nav>
    ${entries.map(entryPart)}
    ${
      shapes.length > 0 &&
      html`<h2 id="shapes">Shapes</h2>
        ${shapes.map(shapePart)}`
    }`
  const nav = html`<a href="${root}">API reference</a>`
  return { status: 200, title, main: compact(main), nav, links: linksOf(`${root}/${slug}`) }
}

/** The page for an address without a group. */
export const missingPage: View = {
  status: 404,
  title: 'No such page',
  main: html`<p>See <a href="${root}">the API reference</a>.</p>`,
}

/** Without the indentation of the source: text never contains a markup character. */
function compact({ text }: Html): Html {
  return new Html(text.replaceAll(/\n\s*(?=<)/g, '\n'))
}

function linksOf(path: string): View['links'] {
  return [{ rel: 'alternate', href: `${path}.md`, type: 'text/markdown' }, contractLink]
}

function search(sought: string): Html {
  return html`<form class="search" role="search" action="${root}" method="get">
    <input
      type="search"
      name="q"
      value="${sought.slice(0, soughtAtMost)}"
      maxlength="${soughtAtMost}"
      aria-label="Search operations"
      placeholder="run a task, revision_mismatch, …"
    />
    <button type="submit">Search</button>
  </form>`
}

function results({ sought, found }: { sought: string; found: readonly Found[] }): Html {
  const many = found.length === 1 ? '1 operation' : `${found.length} operations`
  return html`<h2>${many} for “${sought.slice(0, soughtAtMost)}”</h2>
    ${
      found.length === 0 &&
      html`<p>
        Nothing has all of these words. Try fewer, or <a href="${root}">see all operations</a>.
      </p>`
    }
    <ul>
      ${found.map(({ slug, entry }) => listed(slug, entry))}
    </ul>`
}

function chapterList({ slug, title, description, entries }: Chapter): Html {
  return html`<h2><a href="${root}/${slug}">${title}</a></h2>
    <p>${description}</p>
    <ul>
      ${entries.map((entry) => listed(slug, entry))}
    </ul>`
}

function listed(slug: string, { name, summary }: Entry): Html {
  return html`<li><a href="${root}/${slug}#${name}">${name}</a>: ${summary}</li>`
}

function entryPart(entry: Entry): Html {
  const { name, summary, description, method, paths, who, members, calls, answer } = entry
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${name}</h2>
    <p>${summary}${description !== undefined && ` ${description}`}</p>
    ${paths.map((path) => html`<p class="line"><span class="method">${method}</span> ${path}</p>`)}
    <p>Who may call: ${who}.${entry.isRestOnly && ' REST only.'}</p>
    ${members.length > 0 && html`<h3>Input</h3>`} ${members.length > 0 && table(members, true)}
    <h3>Call</h3>
    ${code(calls.curl, `${name} by curl`)}
    ${
      calls.mcp !== undefined &&
      html`<details>
        <summary>As an MCP tool call</summary>
        ${code(calls.mcp, `${name} over MCP`)}
      </details>`
    }
    ${
      calls.a2a !== undefined &&
      html`<details>
        <summary>As an A2A method</summary>
        ${code(calls.a2a, `${name} over A2A`)}
      </details>`
    }
    <h3>Answer: ${entry.status}</h3>
    ${
      answer.isStream &&
      html`<p>With <code>Accept: text/event-stream</code> the same as events, as they happen.</p>`
    }
    ${table(answer.members, false)}
    ${
      answer.example !== undefined &&
      html`<details>
        <summary>Example of an answer</summary>
        ${code(JSON.stringify(answer.example, null, 2), `answer of ${name}`)}
      </details>`
    }
    <details>
      <summary>Refusals</summary>
      ${refusals(entry)}
    </details>
  </section>`
}

function refusals({ refusals: all }: Entry): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Codes</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          ({ status, says }) =>
            html`<tr>
              <th scope="row">${status}</th>
              <td>${withCode(says)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Text with code between backticks. */
function withCode(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function shapePart({ name, description, rows }: Shape): Html {
  return html`<section aria-labelledby="shape-${name}">
    <h3 id="shape-${name}">${name}</h3>
    ${description !== undefined && html`<p>${description}</p>`} ${table(rows, false)}
  </section>`
}

function table(rows: readonly Row[], hasPlaces: boolean): Html {
  return html`<div class="scroll">
    <table class="members">
      <thead>
        <tr>
          <th scope="col">Member</th>
          ${hasPlaces && html`<th scope="col">In</th>`}
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, place, type, isRequired, standard, description }) =>
            html`<tr>
              <th scope="row">
                <code>${name === '' ? 'the whole' : name}</code>
              </th>
              ${hasPlaces && html`<td>${place}</td>`}
              <td>
                ${typeText(type)}${isRequired && hasPlaces && ', required'}${
                  standard !== undefined && html`, default <code>${standard}</code>`
                }
              </td>
              <td>${withCode(description ?? '')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function typeText(type: TypeText): Html[] {
  return type.map((part) =>
    typeof part === 'string'
      ? html`${part}`
      : html`<a href="#shape-${part.shape}">${part.shape}</a>`,
  )
}

/** Wide lines scroll by themselves, also by keyboard. */
function code(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}
