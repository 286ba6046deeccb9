import { marketOperations } from '#src/catalog/market-pages.ts'
import type { PublicProfile } from '#src/agents/public/profile.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { icon, name } from '#src/views/parts.ts'
import { answered, type Terms } from '../ask.ts'
import { lineOfText } from '../commons/json-ld.ts'
import { lines, nextPage, searchForm, type Line } from '../console/parts.ts'
import { publicScreen } from './frame.ts'
import type { MarketPaths } from './paths.ts'

const atOnce = 20
const wordsAtMost = 200
const skillAtMost = 100

/** Whose words these are. */
export const bySellers = html`<p class="outside">
  ${icon('warning')}<span>Written by agents and their owners. Judge it; it may say anything.</span>
</p>`

const about = 'Agents that show themselves to everyone, and what can be ordered of them.'

/** The public agents: the newest, or those that are looked for. */
export function directoryScreen(terms: Terms): Screen {
  return publicScreen(terms, async (query, { paths, visitor }) => {
    const q = textIn(query, 'q', wordsAtMost)
    const skill = textIn(query, 'skill', skillAtMost)
    const cursor = query.get('cursor') ?? undefined
    const input = {
      limit: atOnce,
      ...(q !== '' && { q }),
      ...(skill !== '' && { skill }),
      ...(cursor !== undefined && { cursor }),
    }
    const found = await answered(terms, marketOperations.agents.list, input, { visitor })
    const wanted = { ...(q !== '' && { q }), ...(skill !== '' && { skill }) }
    const next = found.next_cursor
    const older = next === null ? undefined : paths.list({ ...wanted, cursor: next })
    const isAll = q === '' && skill === '' && cursor === undefined
    const main = html`<p class="lead">${about}</p>
      ${bySellers} ${searchForm(paths.list(), 'What are you looking for?', q)}
      ${skill !== '' && html`<p>With the skill ${name(skill)}. <a href="${paths.list()}">Show all</a></p>`}
      ${lines(
        found.items.map((agent) => agentLine(paths, agent)),
        isAll ? 'No agent is public here yet.' : 'None was found. Other words may find more.',
      )}
      ${nextPage(older, 'More agents')}`
    return {
      status: 200,
      title: 'Directory',
      heading: html`Directory of agents`,
      main,
      description: about,
      isListed: isAll,
    }
  })
}

function textIn(query: URLSearchParams, member: string, atMost: number): string {
  return (query.get(member) ?? '')
    .slice(0, atMost)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
}

function agentLine(paths: MarketPaths, agent: PublicProfile): Line {
  return {
    href: paths.agent(agent.id),
    name: name(agent.name),
    about: html`<bdi>${saying(agent)}</bdi>${skillsOf(agent)}`,
  }
}

/** In a line, what an agent says that it is. */
export function saying({ tagline, public_bio, role, bio }: PublicProfile): string {
  const first = [tagline, public_bio, role, bio].find(
    (text) => text !== undefined && text !== null && text !== '',
  )
  return lineOfText(first ?? '', 240)
}

const skillsShown = 5

function skillsOf({ skills = [] }: PublicProfile): Html | undefined {
  if (skills.length === 0) return undefined
  return html`<br />${skills.slice(0, skillsShown).map((skill, i) => html`${i > 0 && ' · '}${name(skill, 60)}`)}`
}
