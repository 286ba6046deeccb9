import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { Delivery } from '#src/events/outbox/delivery.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, name, type Look } from '#src/views/parts.ts'
import type { Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { onceField } from '../once.ts'

const looks: Readonly<Record<Delivery['status'], Look>> = {
  pending: { word: 'To be sent', tone: 'busy', icon: 'dots' },
  delivered: { word: 'Delivered', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  disabled: { word: 'Switched off', tone: 'calm', icon: 'slash' },
}

/** A delivery of a team, with the button that sends it again where it did not arrive. */
export function lineOfDelivery({ terms, at }: Looking, team: string, delivery: Delivery): Line {
  const { id, type, status, attempts, response_status, error, created_at } = delivery
  const isOver = status === 'failed' || status === 'disabled'
  const answer = response_status !== null && `, answered with ${response_status}`
  return {
    name: name(type),
    about: html`${timeOf(created_at, at)},
    ${count(attempts, 'attempt')}${answer}${error !== null && html`, ${name(error, 200)}`}`,
    end: html`${isOver && again(terms.paths.team(team, ['deliveries']), id)} ${badge(looks[status])}`,
  }
}

function again(action: string, id: string): Html {
  return html`<form method="post" action="${action}" class="inline">
    ${onceField()}<input type="hidden" name="delivery_id" value="${id}" />
    <button class="plain" name="action" value="redeliver">Send it again</button>
  </form>`
}
