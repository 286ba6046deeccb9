import type { Operation } from '#src/core/operation.ts'
import { list as deliveriesList } from '#src/operations/agent-apps/deliveries/list.ts'
import { redeliver } from '#src/operations/agent-apps/deliveries/redeliver.ts'
import { get } from '#src/operations/agent-apps/get.ts'
import { list } from '#src/operations/agent-apps/list.ts'
import { manifest } from '#src/operations/agent-apps/manifest.ts'
import { pause } from '#src/operations/agent-apps/pause.ts'
import { plan } from '#src/operations/agent-apps/plan.ts'
import { provision } from '#src/operations/agent-apps/provision.ts'
import { resume } from '#src/operations/agent-apps/resume.ts'
import { rollback } from '#src/operations/agent-apps/rollback.ts'
import { teardown } from '#src/operations/agent-apps/teardown.ts'
import { update } from '#src/operations/agent-apps/update.ts'
import { validate } from '#src/operations/agent-apps/validate.ts'

/** Many agents from one manifest. */
export const apps: readonly Operation[] = [
  validate,
  provision,
  list,
  get,
  manifest,
  update,
  plan,
  rollback,
  pause,
  resume,
  teardown,
  deliveriesList,
  redeliver,
]
