/** A hand-over between two of a team, by their places in the list of its agents. */
export interface Edge {
  from: number
  to: number
}

/** Where an agent stands in the picture: the row, counted from the top, and the place in it. */
export interface Place {
  row: number
  column: number
}

/** The agents of a picture in their rows. */
export interface Layout {
  places: readonly Place[]
  /** How many stand in each row. */
  rows: readonly number[]
}

/**
 * Places so that work flows down: each agent stands below those that hand on to it, but for hand-overs that lead
 * back. Agents that have to do with no one stand last.
 * @param size how many agents there are
 * @param widest how many stand in a row at most
 */
export function layoutOf(size: number, edges: readonly Edge[], widest: number): Layout {
  const levels = levelsOf(size, edges)
  const rows: number[] = []
  const places: Place[] = Array.from({ length: size }, () => ({ row: 0, column: 0 }))
  for (const level of levels) {
    const sorted = nearest(level, edges, places)
    for (let begin = 0; begin < sorted.length; begin += widest) {
      const row = sorted.slice(begin, begin + widest)
      for (const [column, agent] of row.entries()) places[agent] = { row: rows.length, column }
      rows.push(row.length)
    }
  }
  return { places, rows }
}

/** The agents by how many hand-overs lie before them. */
function levelsOf(size: number, edges: readonly Edge[]): number[][] {
  const next = Map.groupBy(forward(size, edges), ({ from }) => from)
  const waits = Array.from({ length: size }, () => 0)
  for (const { to } of [...next.values()].flat()) waits[to] = (waits[to] ?? 0) + 1
  const levels: number[][] = []
  let level = [...waits.keys()].filter((agent) => waits[agent] === 0)
  const touched = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const alone = level.filter((agent) => !touched.has(agent))
  level = level.filter((agent) => touched.has(agent))
  while (level.length > 0) {
    levels.push(level)
    const after: number[] = []
    for (const { to } of level.flatMap((agent) => next.get(agent) ?? [])) {
      const left = (waits[to] ?? 0) - 1
      waits[to] = left
      if (left === 0) after.push(to)
    }
    level = after
  }
  return alone.length > 0 ? [...levels, alone] : levels
}

/** The hand-overs without those that lead back to where the work has been. */
function forward(size: number, edges: readonly Edge[]): Edge[] {
  const next = Map.groupBy(edges, ({ from }) => from)
  const state = Array.from({ length: size }, (): 'new' | 'open' | 'done' => 'new')
  const kept: Edge[] = []
  for (let root = 0; root < size; root += 1) {
    if (state[root] !== 'new') continue
    const open = [{ agent: root, edges: [...(next.get(root) ?? [])] }]
    state[root] = 'open'
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const edge = top.edges.pop()
      if (!edge) {
        state[top.agent] = 'done'
        open.pop()
      } else if (state[edge.to] !== 'open') {
        kept.push(edge)
        if (state[edge.to] === 'new') {
          state[edge.to] = 'open'
          open.push({ agent: edge.to, edges: [...(next.get(edge.to) ?? [])] })
        }
      }
    }
  }
  return kept
}

/** Agents of a level in the order of those above them that hand on to them, so that lines cross less. */
function nearest(
  level: readonly number[],
  edges: readonly Edge[],
  places: readonly Place[],
): number[] {
  const above = Map.groupBy(edges, ({ to }) => to)
  const middle = (agent: number) => {
    const columns = (above.get(agent) ?? []).map(({ from }) => places[from]?.column ?? 0)
    return columns.length === 0 ? agent : columns.reduce((a, b) => a + b, 0) / columns.length
  }
  return level.toSorted((a, b) => middle(a) - middle(b) || a - b)
}
