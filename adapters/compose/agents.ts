import type { AgentDoors } from '#protocol/a2a/agent/options.ts'
import { isCharacterId } from '#src/agents/name.ts'
import { doorPage, type DoorTerms } from '#adapters/http/doors.ts'
import { agentCardPage, type Page } from '#adapters/http/page.ts'

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
