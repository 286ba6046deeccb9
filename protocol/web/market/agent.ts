import { marketOperations } from '#src/catalog/market-pages.ts'
import type { PublicProfile } from '#src/agents/public/profile.ts'
import type { PublicTask } from '#src/money/orders/public-offer.ts'
import type { Post } from '#src/feed/post.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { count, money } from '#src/core/html/words.ts'
import { dayOf } from '#src/views/moments.ts'
import { facts, name, said } from '#src/views/parts.ts'
import { answered, type Terms } from '../ask.ts'
import { lineOfText } from '../commons/json-ld.ts'
import { lines, nextPage, part, type Line } from '../console/parts.ts'
import { bySellers, saying } from './directory.ts'
import { crumbs, publicScreen, type Reading } from './frame.ts'
import { agentData } from './json-ld.ts'
import type { MarketPaths } from './paths.ts'

const postsShown = 10
const bioAtMost = 4000

/** A public agent: who it says it is, what it offers, and what it posts. */
export function publicAgentScreen(terms: Terms, id: string): Screen {
  return publicScreen(terms, async (query, reading) => {
    const { paths, visitor } = reading
    const agent = await answered(terms, marketOperations.agents.get, { char_id: id }, { visitor })
    const [offers, posts] = await Promise.all([
      answered(terms, marketOperations.services, { char_id: id }, { visitor }),
      postsOf(reading, agent, query.get('cursor') ?? undefined),
    ])
    const main = html`${crumbs(paths)}
      <h1>${name(agent.name)}</h1>
      ${bySellers} ${whoOf(paths, agent)}
      ${part('What it does for others', 'services', servicesOf(paths, agent, offers.items))}
      ${posts && part('What it posts', 'posts', feedOf(paths, agent, posts))}`
    // One that is not listed is there for those who were told its address alone.
    const isListed = !query.has('cursor') && (await terms.store.directory.get(id)) !== undefined
    return {
      status: 200,
      title: lineOfText(agent.name, 100),
      heading: null,
      main,
      description: saying(agent),
      data: agentData(paths, agent, offers.items),
      links: [{ rel: 'canonical', href: paths.address(`/${encodeURIComponent(id)}`) }],
      isListed,
    }
  })
}

interface Posts {
  items: readonly Post[]
  next_cursor: string | null
}

/** Its posts; undefined where its feed is not open to everyone. */
async function postsOf(
  { terms, visitor }: Reading,
  { id, links }: PublicProfile,
  cursor: string | undefined,
): Promise<Posts | undefined> {
  if (links.feed === undefined) return undefined
  const page = { char_id: id, limit: postsShown, ...(cursor !== undefined && { cursor }) }
  return answered(terms, marketOperations.feed, page, { visitor })
}

function whoOf(paths: MarketPaths, agent: PublicProfile): Html {
  const { role, tagline, public_bio, bio, skills = [], knowledge_domains = [], owner } = agent
  const words = public_bio ?? bio
  return html`${tagline && html`<p class="lead">${name(tagline, 300)}</p>`}
  ${words && said(words, bioAtMost)}
  ${facts([
    ['Role', role && name(role, 300)],
    [
      'Skills',
      skills.length > 0 &&
        html`<span class="tags"
          >${skills
            .slice(0, 30)
            .map(
              (skill) =>
                html`<a
                  class="tag"
                  href="${paths.list({ skill: skill.slice(0, 100).toWellFormed() })}"
                  >${name(skill, 60)}</a
                >`,
            )}</span
        >`,
    ],
    ['Knows about', knowledge_domains.length > 0 && name(knowledge_domains.join(', '), 600)],
    ['Of', owner?.name !== undefined && name(owner.name)],
    ['Since', dayOf(agent.created_at)],
    ['For agents', html`<a href="${agent.links.tasks}">as JSON</a>`],
  ])}`
}

function servicesOf(
  paths: MarketPaths,
  { id }: PublicProfile,
  offers: readonly PublicTask[],
): Html {
  return lines(
    offers.map((offer): Line => {
      const { task_id, title, description } = offer
      const isOpen = offer.order !== undefined
      return {
        href: isOpen ? paths.service(id, task_id) : undefined,
        name: name(title),
        about: html`<bdi>${lineOfText(description ?? '', 300)}</bdi>`,
        end: html`<span class="end"
          >${ratingOf(offer)} ${isOpen ? priceOf(offer) : 'Not to be ordered now'}
          ${isOpen && html`<strong>${orderWords(offer)}</strong>`}</span
        >`,
      }
    }),
    'It offers nothing to order.',
  )
}

/** What the button says that orders it. */
export function orderWords({ cta_label }: Pick<PublicTask, 'cta_label'>): Html {
  return name(cta_label ?? 'Order', 40)
}

/** What a service costs. */
export function priceOf({
  price_cents,
  currency,
}: Pick<PublicTask, 'price_cents' | 'currency'>): string {
  if (price_cents === null) return 'Free'
  return currency === null ? 'Its price is not known now' : money(price_cents, currency)
}

/** What those who paid found. */
export function ratingOf({ rating_summary }: Pick<PublicTask, 'rating_summary'>): Html | undefined {
  if (!rating_summary || rating_summary.count === 0) return undefined
  const { average, count: many } = rating_summary
  return html`<span>${average.toFixed(1)} of 5 by ${count(many, 'buyer')}</span>`
}

function feedOf(paths: MarketPaths, { id }: PublicProfile, { items, next_cursor }: Posts): Html {
  if (items.length === 0) return html`<p class="soft">Nothing yet.</p>`
  return html`${items.map(
    (post) =>
      html`<article class="said-by">
        <p class="meta">${dayOf(post.created_at)}</p>
        ${said(post.content, 2000)}
      </article>`,
  )}
  ${nextPage(next_cursor === null ? undefined : paths.agent(id, { cursor: next_cursor }), 'Earlier')}`
}
