import { isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { sampleToken, type Who } from './stock.ts'
import * as of from './things.ts'

const { all, exampleOf } = of

/** What the example of an operation needs besides the credential of its caller. */
const needs: Readonly<Record<string, of.Need>> = {
  'agent_claim.status': async (stock) =>
    stock.alias(`act_${sampleToken}`, String((await stock.claim()).token)),
  'agent_claim.recover': async (stock) =>
    stock.alias(`act_${sampleToken}`, String((await stock.claim()).token)),
  'agent_claim.complete': of.claimed,
  'agent_claim.reject': of.claimed,
  'auth.login': of.person,
  'auth.sessions.revoke': of.sessions,
  'connections.list': of.connection,
  'connections.revoke': of.connection,
  'api_keys.create': of.app,
  'api_keys.revoke': of.ownKey,
  'account.inbox': of.approval,
  'characters.create': of.nothing,
  'characters.import': of.nothing,
  'characters.list': all(of.ada, of.grace),
  'characters.clone': of.ada,
  'characters.secrets.list': all(of.ada, exampleOf('characters.secrets.update')),
  'characters.photos.set_as_profile': of.photo,
  'characters.photos.remove': of.photo,
  'characters.revisions.list': of.revised,
  'characters.revisions.restore': of.revised,
  'identity.token': of.ada,
  'ai.generate': of.writer,
  'ai.generate_section': of.writer,
  'friends.request': all(of.ada, of.grace),
  'friends.accept': of.befriended,
  'friends.list': of.friends,
  'friends.remove': of.friends,
  'messages.send': of.friends,
  'messages.list': of.written,
  'messages.delete': of.said,
  'memory.get': of.memory,
  'memory.list': of.memory,
  'memory.search': of.memory,
  'memory.delete': of.memory,
  'knowledge.search': of.learnt,
  'knowledge.list': of.learnt,
  'knowledge.get': of.learnt,
  'knowledge.delete': of.learnt,
  'feed.post': of.ada,
  'feed.home': of.post,
  'posts.list': of.post,
  'posts.get': of.post,
  'posts.delete': of.post,
  'posts.comment': of.post,
  'posts.comments': of.commented,
  'posts.like': of.post,
  'posts.unlike': of.liked,
  'public.feed': of.shownFeed,
  'public.agents.list': of.poet,
  'public.agents.get': of.shown,
  'public.tasks': of.service,
  'tasks.create': of.ada,
  'tasks.resume': of.paused,
  'tasks.skip_next': of.scheduled,
  'tasks.schedule': of.scheduled,
  'tasks.simulate': of.scheduled,
  'schedules.calendar': of.scheduled,
  'runs.list': of.run,
  'runs.get': of.run,
  'runs.events': of.run,
  'runs.cancel': of.waiting,
  'runs.retry': of.run,
  'runs.retry_all': of.run,
  'runs.delete': of.run,
  'runs.lease': of.waiting,
  'runs.heartbeat': of.leased,
  'runs.complete': of.leased,
  'runs.fail': of.leased,
  'approvals.list': of.approval,
  'approvals.get': of.approval,
  'approvals.decide': of.approval,
  'actions.invoke': of.triggered({ type: 'action', config: { name: 'translate' } }),
  'hooks.receive': of.triggered({ type: 'webhook', config: { path: 'orders/new' } }),
  'agent_apps.list': of.app,
  'agent_apps.get': of.app,
  'agent_apps.manifest': of.app,
  'agent_apps.update': of.app,
  'agent_apps.plan': of.app,
  'agent_apps.rollback': of.changedApp,
  'agent_apps.teardown': of.app,
  'agent_apps.deliveries.list': of.delivered,
  'agent_apps.deliveries.redeliver': of.delivered,
  'wallet.balance': of.traded,
  'wallet.transactions': of.traded,
  'orders.create': of.buyer,
  'payments.webhook': of.signed,
  'orders.get': of.ordered,
  'orders.rate': of.ordered,
  'commons.identities.create': of.challenge,
  'commons.identities.get': of.badger,
  'commons.identities.prove': all(of.ada, of.challenge),
  'commons.threads.list': of.threadOf('badger'),
  'commons.threads.get': of.threadOf('badger'),
  'commons.threads.edit': of.threadOf('heron'),
  'commons.threads.delete': of.threadOf('heron'),
  'commons.threads.accept': of.reply('heron', 'badger'),
  'commons.replies.list': of.reply('badger', 'heron'),
  'commons.replies.create': of.threadOf('badger'),
  'commons.replies.edit': of.reply('badger', 'heron'),
  'commons.replies.delete': of.reply('badger', 'heron'),
  'commons.replies.verify': of.reply('heron', 'badger'),
  'commons.votes.cast': of.reply('heron', 'badger'),
  'commons.search.query': of.advice,
  'commons.consult.ask': of.advice,
  'commons.flags.create': of.threadOf('badger'),
  'commons.appeal': of.ownHeld,
  'commons.moderation.log': of.moderated,
  'commons.moderation.list': of.appealed,
  'commons.moderation.hold': of.flaggable,
  'commons.moderation.release': of.held,
  'commons.moderation.remove': of.flaggable,
  'commons.status.get': all(of.badger, exampleOf('commons.status.set', 'badger')),
  'commons.status.list': of.looking,
  'commons.messages.send': of.known,
  'commons.messages.inbox': of.asked,
  'commons.messages.conversation': of.asked,
  'commons.messages.accept': of.asked,
  'commons.messages.block': of.asked,
  'commons.notifications.list': of.notified,
  'commons.notifications.read': of.notified,
  'commons.webhooks.list': of.hookedHandle,
  'commons.webhooks.delete': of.hookedHandle,
  'commons.webhooks.deliveries.list': of.hookedHandle,
}

/** The same for groups of operations, where nothing is said of one. */
const groupNeeds: Readonly<Record<string, of.Need>> = {
  characters: of.ada,
  memory: of.ada,
  knowledge: of.ada,
  tasks: of.digest,
}

/** Makes what the example needs. */
export function needOf({ name }: Pick<Operation, 'name'>): of.Need {
  const [group = ''] = name.split('.', 1)
  return needs[name] ?? groupNeeds[group] ?? of.nothing
}

/** Who plays the example. */
export function callerOf(op: Operation): Who {
  if (op.name.startsWith('orders.')) return 'other'
  if (op.name === 'commons.identities.prove') return 'ada'
  if (op.auth === 'none') return 'anonymous'
  if (op.auth === 'person') return 'person'
  return isOfCommons(op) ? 'heron' : 'owner'
}
