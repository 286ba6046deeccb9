/**
 * What others call operations, in words of their own: whole names or whole wishes, so that a part of another
 * wish means none of them. By the operation.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'agent_apps.plan': ['plan'],
  'agent_apps.provision': ['provision'],
  'agent_apps.validate': ['validate'],
  'agent_claim.create': ['sign up'],
  'approvals.decide': ['decide', 'decide run'],
  'characters.create': ['make agent'],
  'characters.delete': ['delete agent', 'remove agent', 'kill agent'],
  'characters.photos.add': ['create avatar', 'update avatar', 'upload avatar'],
  'commons.threads.accept': ['accept reply'],
  'commons.threads.list': ['list commons', 'commons feed'],
  'commons.votes.cast': ['vote', 'thread vote', 'reply vote'],
  'memory.put': ['create memory', 'update memory', 'make agent remember'],
  'runs.complete': ['complete'],
  'runs.get': ['wait', 'wait run', 'await run', 'get result', 'run result', 'run output'],
  'tasks.create': ['schedule task', 'schedule task morning', 'schedule task day'],
}

/** The other names of an operation, in plain words. */
export function otherNamesOf(name: string): readonly string[] {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? []) : []
}
