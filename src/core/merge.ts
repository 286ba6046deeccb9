import { isMap } from './maps.ts'

/**
 * The base with the patch applied: objects merge deep, lists and scalars replace, null sets null; inside a
 * free map (a member with one of these names) a null removes the entry. Neither argument is changed.
 */
export function merge(base: unknown, patch: unknown, freeMaps: ReadonlySet<string>): unknown {
  return mergeMember(base, patch, freeMaps, false)
}

function mergeMember(
  base: unknown,
  patch: unknown,
  freeMaps: ReadonlySet<string>,
  insideFreeMap: boolean,
): unknown {
  if (!isMap(patch)) return patch
  const merged = new Map<string, unknown>(isMap(base) ? Object.entries(base) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (insideFreeMap && value === null) merged.delete(name)
    else {
      merged.set(
        name,
        mergeMember(merged.get(name), value, freeMaps, insideFreeMap || freeMaps.has(name)),
      )
    }
  }
  // fromEntries defines own members, so a name like __proto__ stays plain data.
  return Object.fromEntries(merged)
}
