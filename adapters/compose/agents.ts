import type { AgentDoors } from '#protocol/a2a/agent/options.ts'
import { isCharacterId } from '#src/agents/name.ts'
import { cancel } from '#src/runs/chat/cancel.ts'
import { events } from '#src/runs/chat/events.ts'
import { face } from '#src/runs/chat/face.ts'
import { get } from '#src/runs/chat/get.ts'
import { list } from '#src/runs/chat/list.ts'
import { pushDelete, pushGet, pushList, pushSet } from '#src/runs/chat/push/operations.ts'
import { send } from '#src/runs/chat/send.ts'
import { doorPage, type DoorTerms } from '#adapters/http/doors.ts'
import { agentCardPage, type Page } from '#adapters/http/page.ts'

/** What is done behind the doors of hosted agents, and offered there alone. */
export const chatOperations = {
  send,
  get,
  list,
  cancel,
  events,
  face,
  push: { set: pushSet, get: pushGet, list: pushList, delete: pushDelete },
}

const address = /^\/a2a\/([^/]+)(\/\.well-known\/agent-card\.json)?$/

/** The door of each hosted agent, and its card. */
export function agentPages(
  doors: () => Promise<AgentDoors>,
  terms: DoorTerms,
): (path: string) => Page | undefined {
  return (path) => {
    const [, charId = '', card] = address.exec(path) ?? []
    if (!isCharacterId(charId)) return undefined
    return card === undefined
      ? doorPage(async () => (await doors()).at(charId), terms)
      : agentCardPage(async (asked) => (await doors()).card(charId, asked))
  }
}
