import { accountDoor } from '#src/core/authorization/paths.ts'
import { skillOfCommons } from './published.ts'
import { admitted } from './admitted.ts'
import { policiesFor } from '#protocol/policies.ts'
import type { Door } from '#protocol/door.ts'
import { commonsPresentation } from '#protocol/a2a/card/presentation.ts'
import { commonsGuidance } from '#protocol/mcp/prompts/commons-guide.ts'
import type { AgentDoors } from '#protocol/a2a/agent/options.ts'
import type { A2aDoor } from '#protocol/a2a/options.ts'
import type { Sender } from '#protocol/admission.ts'
import { chatOperations } from '#src/catalog/chat.ts'
import { itemStandings } from '#src/catalog/content.ts'
import { runStandings as standings } from '#src/catalog/runs.ts'
import { absenceOf } from '#src/core/commons/absence.ts'
import { isOfCommons, offered } from '#src/core/operation-facts.ts'
import type { Streams } from '#src/core/admission/streams.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { Ports } from '#src/core/context.ts'
import type { Door as MeteredDoor } from '#adapters/metrics/counted.ts'
import { ofCommons } from './served.ts'

/** The doors of agents. */
export interface Doors {
  mcp: () => Promise<Door>
  a2a: () => Promise<A2aDoor>
  commonsMcp: () => Promise<Door>
  commonsA2a: () => Promise<A2aDoor>
  agents: () => Promise<AgentDoors>
  close: () => Promise<void>
}

/** The doors of agents stand on large libraries, so each is opened when it is first needed. */
export function openDoors(
  ports: CorePorts,
  streams: Streams,
  coreOf: (door: MeteredDoor) => Core,
): Doors {
  const { settings, store, clock, log, sealer, quotas: counts } = ports
  const { once, close } = doorsOnce()
  const common = () => ({
    name: 'abode',
    version: settings.version,
    publicUrl: settings.publicUrl,
    log,
    admit: (who: Sender) => admitted(ports, who),
    absent: absenceOf(settings),
    ...policiesFor(settings.publicUrl, settings.browserOrigins),
  })
  const operations = offered(ports.catalog).filter(isOfCommons)
  return {
    commonsMcp: once(async () => {
      const { openMcpDoor } = await import('#protocol/mcp/door.ts')
      const facts = { ...common(), name: 'abode-commons', path: '/api/commons/mcp' }
      const guidance = commonsGuidance(() => skillOfCommons(ports))
      const core = ofCommons(coreOf('mcp'))
      const { viewDocuments } = await import('./views.ts')
      const documents = viewDocuments(operations, settings.publicUrl)
      const told = { guidance, documents }
      return openMcpDoor({ ...facts, ...told, core, streams, catalog: operations }, clock)
    }),
    commonsA2a: once(async () => {
      const { a2aDoor } = await import('#protocol/a2a/door.ts')
      const facts = { ...common(), name: 'Abode Commons', path: '/api/commons/a2a' }
      const core = ofCommons(coreOf('a2a'))
      const presentation = commonsPresentation
      return a2aDoor({ ...facts, presentation, core, operations, store, counts, clock, sealer })
    }),
    mcp: once(async () => {
      const { openMcpDoor } = await import('#protocol/mcp/door.ts')
      // Read by the door alone, which the pages stand on in turn.
      const { toolsOfBuild, publishedDocuments } = await import('./mcp.ts')
      const documents = await publishedDocuments(ports)
      const tools = await toolsOfBuild(ports.catalog)
      const signsInAt = settings.publicUrl + accountDoor
      const facts = { ...common(), path: '/mcp', signsInAt, standings, itemStandings, tools }
      return openMcpDoor({ ...facts, core: coreOf('mcp'), streams, documents }, clock)
    }),
    a2a: once(async () => {
      const { a2aDoor } = await import('#protocol/a2a/door.ts')
      // People read its card, as they do the index.
      const facts = { ...common(), name: 'Abode', path: '/a2a' }
      return a2aDoor({ ...facts, core: coreOf('a2a'), standings, store, counts, clock, sealer })
    }),
    agents: once(async () => {
      const { agentDoors } = await import('#protocol/a2a/agent/door.ts')
      const facts = { ...common(), name: 'Abode', operations: chatOperations }
      return agentDoors({ ...facts, core: coreOf('a2a'), clock, sealer })
    }),
    close,
  }
}

type Closing = Pick<Door, 'close'>

/** Opens each door when it is first asked for, and closes those that were. */
function doorsOnce() {
  const opened: Promise<Closing>[] = []
  return {
    once: <T extends Closing>(open: () => Promise<T>): (() => Promise<T>) => {
      let door: Promise<T> | undefined
      return () => {
        if (!door) opened.push((door = open()))
        return door
      }
    },
    close: async (): Promise<void> => {
      // A door that could not be opened has nothing to close, and has said so when it was asked for.
      await Promise.allSettled(opened.map(async (door) => (await door).close()))
    },
  }
}

/** Where a sender has used up all that it may ask for, reads and writes, how that limit stands. */
export function spentBy(
  { settings, limiter }: Ports,
  caller: Caller | undefined,
  address: string,
): LimitState | undefined {
  const subject = caller?.subject ?? address
  const reads = caller?.subject === undefined ? 'anonymous_reads' : 'keyed_reads'
  let last: LimitState | undefined
  for (const name of [reads, 'writes'] as const) {
    const limit = settings.limits[name]
    last = limit && limiter.spent(name, limit, subject)
    if (!last) return undefined
  }
  return last
}
