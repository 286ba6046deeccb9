import { marketOperations } from '#src/catalog/market-pages.ts'
import type { PublicTask } from '#src/money/orders/public-offer.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { name, said } from '#src/views/parts.ts'
import { runField } from '../agents/run-form.ts'
import { fieldsOf, type RunField } from '../agents/run-fields.ts'
import { givenIn } from '../agents/run-input.ts'
import { answered, told, whoVisits, type AnswerOf, type Terms } from '../ask.ts'
import { lineOfText } from '../commons/json-ld.ts'
import { problemOfAll, problemsOf, waitOf, type Problems } from '../fields.ts'
import { onceField, onceIn } from '../once.ts'
import { orderWords, priceOf, ratingOf } from './agent.ts'
import { bySellers } from './directory.ts'
import { absent, crumbs, marketFrame } from './frame.ts'
import { MarketPaths } from './paths.ts'

/** The bytes of a form that an order takes, encoded. */
const formBytesAtMost = 262_144
/** Pages of what one agent offers that are looked through. */
const pagesAtMost = 10

type Profile = AnswerOf<typeof marketOperations.agents.get>

interface Service {
  agent: Profile
  offer: PublicTask
}

/** A service of a public agent, and the form by which anyone orders it. */
export function serviceScreen(terms: Terms, charId: string, taskId: string): Screen {
  const paths = new MarketPaths(terms.paths)
  const place = { char_id: charId, task_id: taskId }
  const shown = async (visitor: Visitor, asked: Asked = {}): Promise<View> => {
    try {
      const service = await serviceOf(terms, visitor, place)
      if (!service) return marketFrame(terms, gone(paths))
      const me = await whoVisits(terms, visitor)
      return marketFrame(
        terms,
        serviceView(paths, service, { ...asked, isSignedIn: me !== undefined }),
      )
    } catch (cause) {
      return marketFrame(terms, absent(paths, cause))
    }
  }
  /** Who has ordered with their account opens it by that; everyone else by its token. */
  const orderPath = async (visitor: Visitor, { id, token }: Made): Promise<string> => {
    const own = await told(terms, marketOperations.orders.get, { order_id: id }, { visitor })
    return paths.order(id, own.refusal && token)
  }
  return {
    formBytesAtMost,
    show: (_, visitor) => shown(visitor),
    async submit(form, visitor): Promise<View | Leave> {
      const service = await serviceOf(terms, visitor, place).catch((cause: unknown) => {
        if (cause instanceof Refusal && cause.status === 404) return undefined
        throw cause
      })
      if (!service) return marketFrame(terms, gone(paths))
      const filled = givenIn(form, fieldsIn(service.offer))
      if (filled.problems) return shown(visitor, { typed: form, problems: filled.problems })
      const input = { ...place, form: (filled.given.input ?? {}) as Record<string, never> }
      const as = { visitor, idempotencyKey: onceIn(form) }
      const answer = await told(terms, marketOperations.orders.create, input, as)
      if (!answer.refusal) return { goTo: await orderPath(visitor, answer.value) }
      const { refusal } = answer
      // It is there, and waits for its payment.
      const waits = refusal.code === 'payment_required' ? refusal.members : undefined
      if (typeof waits?.['id'] === 'string') {
        return { goTo: await orderPath(visitor, waits as unknown as Made) }
      }
      return shown(visitor, { typed: form, problems: problemsIn(refusal), refusal })
    },
  }
}

interface Made {
  id: string
  token?: string | undefined
}

/** Its agent, and what is offered; undefined where that cannot be ordered. */
async function serviceOf(
  terms: Terms,
  visitor: Visitor,
  { char_id, task_id }: { char_id: string; task_id: string },
): Promise<Service | undefined> {
  const agent = await answered(terms, marketOperations.agents.get, { char_id }, { visitor })
  let cursor: string | undefined
  for (let page = 0; page < pagesAtMost; page += 1) {
    const input = { char_id, ...(cursor !== undefined && { cursor }) }
    const { items, next_cursor } = await answered(terms, marketOperations.services, input, {
      visitor,
    })
    const offer = items.find((one) => one.task_id === task_id)
    if (offer) return offer.order === undefined ? undefined : { agent, offer }
    if (next_cursor === null) return undefined
    cursor = next_cursor
  }
  return undefined
}

/** A service without a form takes what a person would write. */
const openField: RunField = {
  name: 'member.request',
  label: 'What should it do?',
  type: 'textarea',
  required: false,
  options: [],
  placeholder: null,
  initial: '',
  into: { path: ['request'] },
}

function fieldsIn({ form_schema }: PublicTask): RunField[] {
  if (!form_schema) return [openField]
  const fields = form_schema.fields.map((field) => ({ ...field, options: [...field.options] }))
  return fieldsOf({ prompt: '', variables: {}, variable_types: {}, form_schema: { fields } })
}

/** What a refusal says of each field. */
function problemsIn(refusal: Refusal): Problems {
  const problems: Record<string, string> = {}
  for (const { pointer, message } of refusal.errors ?? []) {
    const [, member, key] = pointer.split('/')
    if (member === 'form' && key !== undefined) problems[`member.${key}`] ??= `It ${message}.`
  }
  return Object.keys(problems).length > 0 ? problems : problemsOf(refusal, {})
}

function gone(paths: MarketPaths) {
  const main = html`<p>
      This cannot be ordered now: it is gone, or its agent takes no orders. Nothing was ordered.
    </p>
    <p><a href="${paths.list()}">To the directory</a></p>`
  return { status: 404, title: 'It cannot be ordered', main }
}

interface Asked {
  typed?: URLSearchParams
  problems?: Problems
  refusal?: Refusal
}

function serviceView(
  paths: MarketPaths,
  { agent, offer }: Service,
  { typed, problems = {}, refusal, isSignedIn }: Asked & { isSignedIn: boolean },
) {
  const { title, description } = offer
  const status = refusal?.status ?? (Object.keys(problems).length > 0 ? 422 : 200)
  const main = html`${crumbs(paths, { id: agent.id, called: name(agent.name) })}
    <h1>${name(title)}</h1>
    ${bySellers} ${description && said(description, 2000)}
    <p class="meta"><strong>${priceOf(offer)}</strong> ${ratingOf(offer)}</p>
    <form method="post" class="card" novalidate>
      ${problemOfAll(problems)} ${onceField()}
      ${fieldsIn(offer).map((one) => runField(one, typed, problems))} ${terms(offer, isSignedIn)}
      <button class="main">${orderWords(offer)}</button>
    </form>`
  return {
    status,
    title: lineOfText(title, 100),
    heading: null,
    main,
    ...(refusal && waitOf(refusal)),
  }
}

/** What happens with the button. */
function terms({ price_cents }: PublicTask, isSignedIn: boolean): Html {
  const paying = isSignedIn
    ? 'It is paid from the wallet of your account where that holds enough and you may spend it; otherwise you pay on the page of the payment service. What is not delivered is paid back.'
    : 'You pay on the page of the payment service. What is not delivered is paid back.'
  return html`<p class="soft">
    ${price_cents === null ? 'It costs nothing.' : paying} What you write goes to the agent and its
    owner.
  </p>`
}
