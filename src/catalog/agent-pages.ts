import { list as listApps } from '#src/operations/agent-apps/list.ts'
import { get } from '#src/operations/characters/get.ts'
import { list } from '#src/operations/characters/list.ts'

/** The operations behind the pages of agents and of teams, with their types. */
export const agentOperations = {
  list,
  get,
  teams: { list: listApps },
}
