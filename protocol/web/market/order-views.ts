import type { marketOperations } from '#src/catalog/market-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import { badge, facts, literal, name, outside, type Look } from '#src/views/parts.ts'
import { commentAtMost } from '#src/money/orders/rate.ts'
import type { AnswerOf } from '../ask.ts'
import { part } from '../console/parts.ts'
import { area, choice, problemOfAll, type Problems } from '../fields.ts'
import { onceField } from '../once.ts'
import { priceOf } from './agent.ts'
import { crumbs } from './frame.ts'
import type { MarketPaths } from './paths.ts'

type Order = AnswerOf<typeof marketOperations.orders.get>

interface Asked {
  /** What its agent is called; undefined where that is not public any more. */
  agent: string | undefined
  token: string | undefined
  typed?: URLSearchParams
  problems?: Problems
  status?: number
}

/** A time with its zone, as no one knows where the reader is. */
function momentOf(at: string): Html {
  return html`${datedTimeOf(at, { zone: 'UTC' })} UTC`
}

const states: Readonly<Record<Order['status'], Look & { says: string }>> = {
  awaiting_payment: {
    word: 'waits for payment',
    tone: 'wait',
    icon: 'hand',
    says: 'It begins once it is paid.',
  },
  in_progress: { word: 'at work', tone: 'calm', icon: 'dots', says: 'The agent is at work on it.' },
  completed: { word: 'delivered', tone: 'good', icon: 'check', says: 'It was delivered.' },
  failed: {
    word: 'failed',
    tone: 'bad',
    icon: 'cross',
    says: 'It could not be done. It cost nothing.',
  },
  refunding: {
    word: 'is paid back',
    tone: 'wait',
    icon: 'ring',
    says: 'It could not be done: the payment service is to give the money back.',
  },
  refunded: {
    word: 'paid back',
    tone: 'bad',
    icon: 'cross',
    says: 'It could not be done, and was paid back.',
  },
  expired: { word: 'expired', tone: 'calm', icon: 'slash', says: 'It was not paid in time.' },
}

/** How an order stands. */
export function orderView(paths: MarketPaths, order: Order, asked: Asked) {
  const { status, title, char_id } = order
  const look = states[status]
  const here = paths.order(order.id, asked.token)
  const agent = asked.agent === undefined ? undefined : name(asked.agent)
  const main = html`${crumbs(paths, agent && { id: char_id, called: agent })}
    <h1>${name(title)}</h1>
    ${problemOfAll(asked.problems ?? {})}
    <p class="meta">${badge(look)} ${look.says}</p>
    ${nextSteps(order, here)} ${result(order)} ${rating(order, asked)}
    ${facts([
      ['Price', priceOf(order)],
      ['Ordered', momentOf(order.created_at)],
      ['Paid', order.paid_at !== null && momentOf(order.paid_at)],
      ['Ended', order.finished_at !== null && momentOf(order.finished_at)],
      ['Order', html`<code>${name(order.id)}</code>`],
    ])}
    ${
      asked.token !== undefined &&
      html`<p class="soft">
        Keep the address of this page: it alone opens this order, to everyone who has it.
      </p>`
    }`
  return {
    status: asked.status ?? (hasProblems(asked) ? 422 : 200),
    title: 'Your order',
    heading: null,
    main,
  }
}

function hasProblems({ problems = {} }: Asked): boolean {
  return Object.keys(problems).length > 0
}

function isUnderWay({ status }: Order): boolean {
  return status === 'awaiting_payment' || status === 'in_progress' || status === 'refunding'
}

function nextSteps(order: Order, here: string): Html | undefined {
  if (!isUnderWay(order)) return undefined
  const { status, checkout } = order
  const isToPay = status === 'awaiting_payment' && checkout?.status === 'open'
  return html`<div class="actions">
    ${isToPay && html`<a class="button main" href="${checkout.url}">Pay</a>`}
    <a class="button" href="${here}">Look again</a>
  </div>`
}

function result(order: Order): Html | undefined {
  const { status, output, artifacts, error } = order
  if (error) return html`<p class="problem">${name(error.message, 600)}</p>`
  if (status !== 'completed') return undefined
  return part(
    'What was delivered',
    'delivered',
    html`${outside(order)} ${literal(output, 'What was delivered', 20_000)}
    ${
      artifacts.length > 0 &&
      html`<ul>
        ${artifacts.map((one) => html`<li>${name(textOfArtifact(one), 600)}</li>`)}
      </ul>`
    }`,
  )
}

function textOfArtifact(one: Order['artifacts'][number]): string {
  return typeof one === 'string' ? one : JSON.stringify(one)
}

const starWords = ['1 - of no use', '2', '3 - good enough', '4', '5 - very good']

function rating({ status, rating: given, paid_by }: Order, asked: Asked): Html | undefined {
  if (given) {
    return part(
      'What you thought of it',
      'rating',
      html`<p>${given.stars} of 5</p>
        ${given.comment !== null && html`<p dir="auto">${name(given.comment, 2000)}</p>`}`,
    )
  }
  if (status !== 'completed' || paid_by === null) return undefined
  const { token, typed, problems = {} } = asked
  const chosen = typed?.get('stars')
  const form = html`<form method="post" class="card">
    ${onceField()}
    ${token !== undefined && html`<input type="hidden" name="token" value="${token}" />`}
    ${choice({
      name: 'stars',
      label: 'How was it?',
      problems,
      options: [
        html`<option value=""></option>`,
        ...starWords.map((words, i) => {
          const value = String(i + 1)
          return html`<option value="${value}" ${value === chosen && html`selected`}>
            ${words}
          </option>`
        }),
      ],
    })}
    ${area({
      name: 'comment',
      label: 'In words (may be left empty; others may read it)',
      value: typed?.get('comment') ?? '',
      attributes: html`rows="3" maxlength="${commentAtMost}" dir="auto"`,
      problems,
    })}
    <button class="main">Rate it</button>
  </form>`
  return part('Rate it', 'rating', form)
}

/** In place of an order that is not there, or not theirs. */
export function noOrderView(paths: MarketPaths) {
  const main = html`<p>
      There is no such order, or the address is not whole: it ends with a token, unless you ordered
      while you were signed in.
    </p>
    <p><a href="${paths.list()}">To the directory</a></p>`
  return { status: 404, title: 'There is no such order', main }
}
