import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html } from '#src/core/html/html.ts'
import { deliveryStatuses } from '#src/events/outbox/delivery.ts'
import { answered, type Terms } from '../ask.ts'
import { lines, nextPage, part } from '../console/parts.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { onceIn } from '../once.ts'
import { lineOfDelivery } from './delivery-line.ts'
import { teamOf, teamPage } from './frame.ts'

const atOnce = 30

/** What was sent to the webhook of a team, or is to be sent, with a button that sends it again. */
export function deliveriesScreen(terms: Terms, id: string): ConsoleScreen {
  const { paths } = terms
  const { list, redeliver } = agentOperations.teams.deliveries
  return {
    here: paths.team(id, ['deliveries']),
    async show(query, looking) {
      const status = deliveryStatuses.find((one) => one === query.get('status'))
      const cursor = query.get('cursor')
      const narrowed = { ...(status !== undefined && { status }) }
      const page = { app_id: id, limit: atOnce, ...(cursor !== null && { cursor }), ...narrowed }
      const [team, deliveries] = await Promise.all([
        teamOf(looking, id),
        answered(terms, list, page, looking.as),
      ])
      const { items, next_cursor: next } = deliveries
      const more =
        next === null ? undefined : paths.team(id, ['deliveries'], { ...narrowed, cursor: next })
      const none =
        team.webhook === null ? 'The team has no webhook: nothing is sent.' : 'There is nothing.'
      const all = items.map((one) => lineOfDelivery(looking, id, one))
      const only =
        status === 'failed'
          ? html`<a href="${paths.team(id, ['deliveries'])}">All of them</a>`
          : html`<a href="${paths.team(id, ['deliveries'], { status: 'failed' })}">Failed alone</a>`
      const done = query.has('done') && html`<p class="done" role="status">It is sent again.</p>`
      const body = html`${lines(all, none)} ${nextPage(more)}`
      const main = html`${done}${part('Sent to its webhook', 'deliveries', body, only)}`
      return teamPage(looking, team, { part: 'deliveries', main })
    },
    async submit(form, looking) {
      const goTo = paths.team(id, ['deliveries'])
      if (form.get('action') !== 'redeliver') return { goTo }
      const delivery_id = (form.get('delivery_id') ?? '').slice(0, 128)
      const asked = { ...looking.as, idempotencyKey: onceIn(form) }
      await answered(terms, redeliver, { app_id: id, delivery_id }, asked)
      return { goTo: paths.team(id, ['deliveries'], { done: 'redeliver' }) }
    },
  }
}
