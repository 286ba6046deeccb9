import type { Operation } from '#src/core/operation.ts'
import { get as accountGet } from '#src/operations/account/get.ts'
import { get as agentAppsGet } from '#src/operations/agent-apps/get.ts'
import { list as agentAppsList } from '#src/operations/agent-apps/list.ts'
import { manifest as agentAppsManifest } from '#src/operations/agent-apps/manifest.ts'
import { provision as agentAppsProvision } from '#src/operations/agent-apps/provision.ts'
import { teardown as agentAppsTeardown } from '#src/operations/agent-apps/teardown.ts'
import { validate as agentAppsValidate } from '#src/operations/agent-apps/validate.ts'
import { create as agentClaimCreate } from '#src/operations/agent-claim/create.ts'
import { status as agentClaimStatus } from '#src/operations/agent-claim/status.ts'
import { create as apiKeysCreate } from '#src/operations/api-keys/create.ts'
import { list as apiKeysList } from '#src/operations/api-keys/list.ts'
import { revoke as apiKeysRevoke } from '#src/operations/api-keys/revoke.ts'
import { create as charactersCreate } from '#src/operations/characters/create.ts'
import { remove as charactersDelete } from '#src/operations/characters/delete.ts'
import { get as charactersGet } from '#src/operations/characters/get.ts'
import { list as charactersList } from '#src/operations/characters/list.ts'
import { update as charactersUpdate } from '#src/operations/characters/update.ts'
import { list as friendsList } from '#src/operations/friends/list.ts'
import { get as healthGet } from '#src/operations/health/get.ts'
import { get as limitsGet } from '#src/operations/limits/get.ts'
import { list as messagesList } from '#src/operations/messages/list.ts'
import { send as messagesSend } from '#src/operations/messages/send.ts'
import { search as operationsSearch } from '#src/operations/operations/search.ts'
import { cancel as runsCancel } from '#src/operations/runs/cancel.ts'
import { complete as runsComplete } from '#src/operations/runs/complete.ts'
import { events as runsEvents } from '#src/operations/runs/events.ts'
import { fail as runsFail } from '#src/operations/runs/fail.ts'
import { get as runsGet } from '#src/operations/runs/get.ts'
import { heartbeat as runsHeartbeat } from '#src/operations/runs/heartbeat.ts'
import { lease as runsLease } from '#src/operations/runs/lease.ts'
import { list as runsList } from '#src/operations/runs/list.ts'
import { create as tasksCreate } from '#src/operations/tasks/create.ts'
import { remove as tasksDelete } from '#src/operations/tasks/delete.ts'
import { get as tasksGet } from '#src/operations/tasks/get.ts'
import { list as tasksList } from '#src/operations/tasks/list.ts'
import { run as tasksRun } from '#src/operations/tasks/run.ts'
import { update as tasksUpdate } from '#src/operations/tasks/update.ts'

/** Every operation, once, in the order of the documents. */
export const catalog: readonly Operation[] = [
  healthGet,
  limitsGet,
  agentClaimCreate,
  agentClaimStatus,
  apiKeysCreate,
  apiKeysList,
  apiKeysRevoke,
  accountGet,
  charactersList,
  charactersGet,
  charactersCreate,
  charactersUpdate,
  charactersDelete,
  friendsList,
  messagesSend,
  messagesList,
  tasksList,
  tasksCreate,
  tasksGet,
  tasksUpdate,
  tasksDelete,
  tasksRun,
  runsList,
  runsGet,
  runsEvents,
  runsCancel,
  runsLease,
  runsHeartbeat,
  runsComplete,
  runsFail,
  agentAppsValidate,
  agentAppsProvision,
  agentAppsList,
  agentAppsGet,
  agentAppsManifest,
  agentAppsTeardown,
  operationsSearch,
]
