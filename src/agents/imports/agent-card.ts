import { isMap } from '#src/core/maps.ts'
import { textOf, type ForeignAgent, type Path, type Sorting } from './sort-members.ts'
import { bioCharactersAtMost } from './prompt-text.ts'

type Members = Record<string, unknown>

const atMost = 200

/**
 * The agent described by an A2A agent card, of version 1.0 or earlier.
 * @see docs/importing.md
 */
export function agentOfCard(sorting: Sorting): ForeignAgent {
  sorting.nameBy(['name'])
  const channels = channelsOf(sorting)
  const agent: Members = {
    name: sorting.at(['name']),
    bio: sorting.moved(['description'], '/bio', bioCharactersAtMost),
    skills: ofSkills(sorting, '/skills', (skill) => [textOf(skill.name) || textOf(skill.id)]),
    knowledge_domains: ofSkills(sorting, '/knowledge_domains', ({ tags }) =>
      Array.isArray(tags) ? tags.map(textOf) : textOf(tags).split(','),
    ),
    appearance: appearanceOf(sorting),
    ...(channels.length > 0 && { control: { channels } }),
  }
  const namePath = ['name']
  sorting.map(namePath, '/name')
  sorting.take(namePath)
  return { agent, namePath }
}

/** The texts of skills, each once. The skills themselves stay, with all their other members. */
function ofSkills(sorting: Sorting, to: string, textsOf: (skill: Members) => string[]): string[] {
  const skills = sorting.at(['skills'])
  const all = (Array.isArray(skills) ? skills : []).flatMap((skill: unknown) =>
    textsOf(isMap(skill) ? skill : { name: skill }),
  )
  const texts = new Set(all.map((text) => sorting.fitting(text.trim(), ['skills'], 500)))
  texts.delete('')
  if (texts.size > 0) sorting.map(['skills'], to)
  return [...texts].slice(0, atMost)
}

/** Where to reach the agent: all its interfaces, or the one address of cards before 1.0. */
function channelsOf(sorting: Sorting): Members[] {
  const supported = sorting.at(['supportedInterfaces'])
  const places: { path: Path; found: Members }[] = Array.isArray(supported)
    ? supported.flatMap((found: unknown, i) =>
        isMap(found) ? [{ path: ['supportedInterfaces', String(i)], found }] : [],
      )
    : [{ path: [], found: firstAddress(sorting) }]
  const usable = places.filter(({ found }) => textOf(found.url) !== '').slice(0, 20)
  return usable.map(({ path, found }, i) => {
    const to = `/control/channels/${i}`
    sorting.map(path.length > 0 ? path : ['url'], to)
    const binding = textOf(found.protocolBinding ?? found.transport)
    const version = textOf(found.protocolVersion)
    const config = {
      url: textOf(found.url),
      ...(binding && { protocol_binding: binding }),
      ...(version && { protocol_version: version }),
    }
    return { name: i === 0 ? 'a2a' : `a2a-${i + 1}`, type: 'a2a', config }
  })
}

function firstAddress(sorting: Sorting): Members {
  return {
    url: sorting.text(['url']),
    protocolBinding: sorting.text(['preferredTransport']),
    protocolVersion: sorting.text(['protocolVersion']),
  }
}

function appearanceOf(sorting: Sorting): Members | null {
  const url = sorting.text(['iconUrl'])
  if (!/^https?:\/\//i.test(url) || url.length > 2000) return null
  return { avatar_url: sorting.moved(['iconUrl'], '/appearance/avatar_url', 2000) }
}
