import { html, type Html } from '#src/core/html/html.ts'
import { scopeWords } from '#src/core/authorization/scopes.ts'
import type { Connection } from '#src/accounts/hosts/connection.ts'
import type { OutboundConnection } from '#src/agents/connections/connection.ts'
import { name } from '#src/views/parts.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import type { Shown } from './shown.ts'
import type { Paths } from '../paths.ts'

/** One page of the programs that are connected to an account, and of the servers that its agents are connected to. */
export interface ConnectionPage {
  items: (Connection | OutboundConnection)[]
  next_cursor: string | null
}

/** What is connected; nothing where there is none. */
export function connectionList(
  paths: Paths,
  accountId: string,
  { items, next_cursor }: ConnectionPage,
  shown: Shown,
): Html | undefined {
  if (items.length === 0) return undefined
  return html`<section aria-labelledby="connections">
    <h2 id="connections">Connected programs and servers</h2>
    <ul class="list card">
      ${items.map((one) =>
        one.direction === 'inbound'
          ? programItem(paths, accountId, one, shown)
          : serverItem(paths, one, shown),
      )}
    </ul>
    ${
      next_cursor !== null &&
      html`<p>
        <a href="${paths.settings(accountId, { connections: next_cursor })}">Older ones</a>
      </p>`
    }
  </section>`
}

function programItem(
  paths: Paths,
  accountId: string,
  connection: Connection,
  { isOwner, at }: Shown,
): Html {
  const { id, name: called, host, char_id, scopes, created_at, last_used_at } = connection
  return html`<li>
    <div>
      <p>${name(called, 200)}${host !== null && html` <span class="soft">(${host})</span>`}</p>
      <p class="soft">
        ${char_id === null ? 'For the whole account' : html`Acts as <bdi>${char_id}</bdi>`},
        connected on ${datedTimeOf(created_at, at)},
        ${last_used_at === null ? 'not used yet' : html`last used on ${datedTimeOf(last_used_at, at)}`}
      </p>
      <ul class="soft">
        ${scopes.map((scope) => html`<li>${scopeWords[scope]}</li>`)}
      </ul>
    </div>
    ${
      isOwner &&
      html`<form method="post" action="${paths.settings()}">
        <input type="hidden" name="account" value="${accountId}" />
        <input type="hidden" name="connection_id" value="${id}" />
        <button name="action" value="end_connection">End it</button>
      </form>`
    }
  </li>`
}

function serverItem(paths: Paths, connection: OutboundConnection, { isOwner, at }: Shown): Html {
  const { id, char_id, resource, state, created_at, connected_at } = connection
  const since =
    state === 'connected' && connected_at !== null
      ? html`connected on ${datedTimeOf(connected_at, at)}`
      : html`asks for your consent since ${datedTimeOf(created_at, at)}`
  return html`<li>
    <div>
      <p><code>${resource}</code></p>
      <p class="soft">Called by the agent <bdi>${char_id}</bdi>, ${since}</p>
    </div>
    ${
      isOwner &&
      html`<a
        class="button"
        href="${paths.connect(id)}"
        aria-label="Look at ${resource} of ${char_id}"
        >Look</a
      >`
    }
  </li>`
}
