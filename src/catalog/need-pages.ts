import { inbox } from '#src/operations/account/inbox.ts'
import { dismiss } from '#src/operations/account/inbox/dismiss.ts'
import { overview } from '#src/operations/account/overview.ts'
import { redeliver } from '#src/operations/agent-apps/deliveries/redeliver.ts'
import { get as getTeam } from '#src/operations/agent-apps/get.ts'
import { update as updateTeam } from '#src/operations/agent-apps/update.ts'
import { decide } from '#src/operations/approvals/decide.ts'
import { get as getApproval } from '#src/operations/approvals/get.ts'
import { list as listApprovals } from '#src/operations/approvals/list.ts'
import { get as getAgent } from '#src/operations/characters/get.ts'
import { update as setSecrets } from '#src/operations/characters/secrets/update.ts'
import { retry } from '#src/operations/runs/retry.ts'
import { resume } from '#src/operations/tasks/resume.ts'

/** The operations behind what waits for a person, with their types, and those to which it leads. */
export const needOperations = {
  inbox,
  dismiss,
  overview,
  approvals: { get: getApproval, list: listApprovals, decide },
  agents: { get: getAgent, setSecrets },
  teams: { get: getTeam, update: updateTeam },
  redeliver,
  retry,
  resume,
}
