import { list as listDeliveries } from '#src/operations/agent-apps/deliveries/list.ts'
import { redeliver } from '#src/operations/agent-apps/deliveries/redeliver.ts'
import { get as getApp } from '#src/operations/agent-apps/get.ts'
import { list as listApps } from '#src/operations/agent-apps/list.ts'
import { manifest } from '#src/operations/agent-apps/manifest.ts'
import { pause as pauseApp } from '#src/operations/agent-apps/pause.ts'
import { plan } from '#src/operations/agent-apps/plan.ts'
import { resume as resumeApp } from '#src/operations/agent-apps/resume.ts'
import { rollback } from '#src/operations/agent-apps/rollback.ts'
import { update as updateApp } from '#src/operations/agent-apps/update.ts'
import { list as listChannels } from '#src/operations/channels/list.ts'
import { list as listChats } from '#src/operations/chat/list.ts'
import { send } from '#src/operations/chat/send.ts'
import { get } from '#src/operations/characters/get.ts'
import { list } from '#src/operations/characters/list.ts'
import { pause as pauseAgent } from '#src/operations/characters/pause.ts'
import { resume as resumeAgent } from '#src/operations/characters/resume.ts'
import { get as getRevision } from '#src/operations/characters/revisions/get.ts'
import { list as listRevisions } from '#src/operations/characters/revisions/list.ts'
import { restore } from '#src/operations/characters/revisions/restore.ts'
import { update } from '#src/operations/characters/update.ts'
import { update as updateVisibility } from '#src/operations/characters/visibility/update.ts'
import { get as seen } from '#src/operations/public/agents/get.ts'
import { update as updateTask } from '#src/operations/tasks/update.ts'
import { list as listSecrets } from '#src/operations/characters/secrets/list.ts'
import { list as listFriends } from '#src/operations/friends/list.ts'
import { remove as forget } from '#src/operations/knowledge/delete.ts'
import { add as addFiles } from '#src/operations/knowledge/files/add.ts'
import { learn } from '#src/operations/knowledge/learn.ts'
import { add as follow } from '#src/operations/knowledge/sources/add.ts'
import { add as addText } from '#src/operations/knowledge/texts/add.ts'
import { update as updateSecrets } from '#src/operations/characters/secrets/update.ts'
import { list as listKnowledge } from '#src/operations/knowledge/list.ts'
import { remove as forgetMemory } from '#src/operations/memory/delete.ts'
import { get as getMemory } from '#src/operations/memory/get.ts'
import { list as listMemory } from '#src/operations/memory/list.ts'
import { namespaces } from '#src/operations/memory/namespaces.ts'
import { search as searchMemory } from '#src/operations/memory/search.ts'
import { list as listPosts } from '#src/operations/posts/list.ts'
import { list as listRuns } from '#src/operations/runs/list.ts'
import { calendar } from '#src/operations/schedules/calendar.ts'
import { get as getTask } from '#src/operations/tasks/get.ts'
import { pause } from '#src/operations/tasks/pause.ts'
import { resume } from '#src/operations/tasks/resume.ts'
import { run } from '#src/operations/tasks/run.ts'
import { skipNext } from '#src/operations/tasks/skip-next.ts'
import { schedule } from '#src/operations/tasks/schedule.ts'
import { list as listTasks } from '#src/operations/tasks/list.ts'

/** The operations behind the pages of agents and of teams, with their types. */
export const agentOperations = {
  list,
  get,
  update,
  pause: pauseAgent,
  resume: resumeAgent,
  visibility: { update: updateVisibility, seen },
  revisions: { list: listRevisions, get: getRevision, restore },
  tasks: {
    list: listTasks,
    get: getTask,
    update: updateTask,
    schedule,
    run,
    pause,
    resume,
    skipNext,
  },
  runs: { list: listRuns },
  calendar,
  posts: { list: listPosts },
  knowledge: {
    list: listKnowledge,
    addText,
    addFiles,
    learn,
    follow,
    remove: forget,
  },
  memory: {
    namespaces,
    list: listMemory,
    get: getMemory,
    search: searchMemory,
    remove: forgetMemory,
  },
  secrets: { list: listSecrets, update: updateSecrets },
  friends: { list: listFriends },
  channels: { list: listChannels },
  talk: { send, list: listChats },
  teams: {
    list: listApps,
    get: getApp,
    manifest,
    plan,
    update: updateApp,
    rollback,
    pause: pauseApp,
    resume: resumeApp,
    deliveries: { list: listDeliveries, redeliver },
  },
}
