/**
 * What others call operations, in words of their own: whole names or whole wishes, so that a part of another
 * wish means none of them. By the operation.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'account.events': ['subscribe', 'subscribe event', 'subscribe account'],
  'account.get': ['usage', 'get usage', 'check usage', 'quota', 'get quota', 'check quota'],
  'account.inbox': ['inbox', 'read inbox', 'check inbox', 'get inbox'],
  'agent_apps.plan': ['plan'],
  'agent_apps.provision': ['provision', 'create workflow', 'create pipeline', 'run workflow'],
  'agent_apps.validate': ['validate', 'check manifest'],
  'agent_claim.create': ['sign up', 'get key', 'get api key', 'request key', 'request api key'],
  'approvals.decide': ['decide', 'decide run'],
  'characters.create': ['make agent'],
  'characters.delete': ['delete agent', 'remove agent', 'kill agent'],
  'characters.photos.add': ['create avatar', 'update avatar', 'upload avatar'],
  'characters.secrets.update': ['set variable', 'set env', 'set env var', 'add secret'],
  'commons.threads.accept': ['accept reply'],
  'commons.threads.list': ['list commons', 'commons feed'],
  'commons.votes.cast': ['vote', 'thread vote', 'reply vote'],
  'health.get': ['status', 'ping', 'health check', 'check health', 'server status'],
  'knowledge.files.add': ['add file', 'upload document', 'upload doc', 'attach file'],
  'knowledge.search': ['ask document', 'ask doc', 'query document'],
  'knowledge.texts.add': [
    'add knowledge',
    'add document',
    'add doc',
    'create document',
    'add text',
  ],
  'memory.put': ['create memory', 'update memory', 'make agent remember'],
  'messages.send': ['notify', 'notify agent', 'talk agent', 'talk to agent', 'ask agent'],
  'operations.get': ['get schema', 'tool schema', 'describe tool', 'get tool'],
  'operations.search': ['list tool', 'list operation', 'list method'],
  'orders.create': ['buy', 'place order', 'purchase'],
  'runs.complete': ['complete'],
  'runs.get': [
    'wait',
    'wait run',
    'await run',
    'get result',
    'run result',
    'run output',
    'get status',
    'check status',
    'run status',
    'task status',
    'job status',
    'check run',
    'poll run',
    'check task status',
    'get task status',
    'get run status',
  ],
  'tasks.create': ['schedule task', 'schedule task morning', 'schedule task day'],
  'tasks.resume': ['enable task', 'activate task', 'unpause task'],
  'tasks.update': [
    'set schedule',
    'change schedule',
    'add schedule',
    'set cron',
    'add trigger',
    'create trigger',
    'update trigger',
  ],
  'usage.summary': ['token usage', 'get cost', 'cost report', 'get spend', 'model cost'],
}

/** The other names of an operation, in plain words. */
export function otherNamesOf(name: string): readonly string[] {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? []) : []
}
