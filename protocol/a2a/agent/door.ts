import { inMethods } from '#src/core/words/doors.ts'
import { cardKey } from '#protocol/a2a/card/signature.ts'
import { JsonRpcDoor } from '#protocol/a2a/door.ts'
import { versionAsked } from '#protocol/a2a/names.ts'
import type { AgentDoors, AgentDoorsOptions } from './options.ts'
import type { Face } from './shown.ts'

/** The doors of hosted agents: each is an A2A agent at an address of its own. */
export function agentDoors(options: AgentDoorsOptions): AgentDoors {
  const { core, operations, sealer } = options
  const key = cardKey(sealer)
  const door = new JsonRpcDoor({
    ...options,
    // Operations are called at the door of the platform.
    operations: [],
    words: inMethods([], core.catalog, options.publicUrl),
    side: async (shared) => {
      const { agentSide } = await import('./side.ts')
      return agentSide({ ...options, key, ...shared })
    },
  })
  return {
    at: (agent) => ({
      handle: (request) => door.handle({ ...request, agent }),
      close: () => door.close(),
    }),
    async card(charId, { version, ...asked }) {
      const call = { operation: operations.face, input: { char_id: charId }, ...asked }
      const { answer, refusal } = await core.serve(call)
      if (refusal) throw refusal
      // The form of the operation's output.
      const face = JSON.parse(answer.text) as Face
      const side = await door.side()
      const form = versionAsked(version) === '1.0' ? '1.0' : '0.3'
      const lastModified = new Date(face.updated_at).toUTCString()
      return { ...(await side.card(face, form)), lastModified, isPrivate: face.is_private }
    },
    close: () => door.close(),
  }
}
