import type { PublicProfile } from '#src/agents/public/profile.ts'
import type { PublicTask } from '#src/money/orders/public-offer.ts'
import { amountOf } from '#src/core/html/words.ts'
import { lineOfText } from '../commons/json-ld.ts'
import { saying } from './directory.ts'
import type { MarketPaths } from './paths.ts'

/** An agent with what can be ordered of it, in the words of schema.org. */
export function agentData(
  paths: MarketPaths,
  agent: PublicProfile,
  offers: readonly PublicTask[],
): object {
  const url = paths.address(`/${encodeURIComponent(agent.id)}`)
  const open = offers.filter(({ order }) => order !== undefined)
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: lineOfText(agent.name, 200),
    description: saying(agent),
    url,
    applicationCategory: 'Agent',
    ...(open.length > 0 && { offers: open.map((offer) => offerData(url, offer)) }),
  }
}

function offerData(
  agent: string,
  { task_id, title, description, price_cents, currency, rating_summary }: PublicTask,
): object {
  const isPriced = price_cents !== null && currency !== null
  return {
    '@type': 'Offer',
    url: `${agent}/${encodeURIComponent(task_id)}`,
    ...(isPriced && {
      price: amountOf(price_cents, currency),
      priceCurrency: currency.toUpperCase(),
    }),
    ...(price_cents === null && { price: '0' }),
    itemOffered: {
      '@type': 'Service',
      name: lineOfText(title, 200),
      description: lineOfText(description ?? '', 500),
      ...(rating_summary &&
        rating_summary.count > 0 && {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: rating_summary.average,
            ratingCount: rating_summary.count,
          },
        }),
    },
  }
}
