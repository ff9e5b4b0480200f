import { Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { FilterGroups } from '#shared/filter-groups.ts'
import { chipsOf } from '#web/filter/FilterChips.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const GroupChips = lazyPart(() => import('#web/filter/GroupChips.tsx'))
const GroupDialog = lazyPart(() => import('#web/filter/GroupDialog.tsx'))

interface Grouped {
  or?: string[] | undefined
}

/** The groups of a list, and the filters that one of them can have. */
export interface GroupsOf<G extends object> {
  groups: FilterGroups<G>
  /** Returns the filters of a group, each with its control and chip. */
  filtersOf: (group: G) => readonly Filter<G>[]
}

/** Parts that load late can't be generic, so they take groups of any filters. */
export type AnyGroups = GroupsOf<any>

export interface ChosenGroups {
  chosen: readonly string[]
  onChange: (chosen: string[] | undefined) => void
}

/**
 * Declares the filter by groups of filters, at least one of which a row must match: `groupFilter({ groups: leadGroups,
 * filtersOf: () => leadFilters })`.
 */
export function groupFilter<G extends { search?: string }>(of: GroupsOf<G>): Filter<Grouped> {
  return {
    id: 'or',
    more: true,
    name: 'Match any of',
    control: ({ or = [] }, onChange) => (
      <MatchAny {...of} chosen={or} onChange={(chosen) => onChange({ or: chosen })} />
    ),
    says: ({ or }) => or && `Any of: ${or.map((text) => groupText(of, text)).join(' or ')}`,
    chips: ({ or = [] }, onChange) => (
      <Suspense>
        <GroupChips {...of} chosen={or} onChange={(chosen) => onChange({ or: chosen })} />
      </Suspense>
    ),
    cleared: { or: undefined },
  }
}

/** Describes the filters of a group: `Status: New, Priority: High`. */
export function groupText<G extends { search?: string }>(
  { groups, filtersOf }: GroupsOf<G>,
  text: string,
): string {
  const group = groups.read(text)
  return chipsOf(filtersOf(group), group, () => undefined)
    .map((filter) => filter.text)
    .join(', ')
}

/** Button that adds a group; its dialog loads on the first click. */
function MatchAny<G extends { search?: string }>({ chosen, onChange, ...of }: GroupsOf<G> & ChosenGroups) {
  const [isOpen, setOpen] = useState(false)
  const isFull = chosen.length >= of.groups.most
  return (
    <>
      <TextButton
        icon={<IconPlus size={14} aria-hidden />}
        aria-haspopup="dialog"
        disabled={isFull}
        title={isFull ? `A list can have up to ${of.groups.most} groups.` : undefined}
        onClick={() => setOpen(true)}
      >
        Match any of
      </TextButton>
      {isOpen && (
        <Suspense>
          <GroupDialog
            {...of}
            onSave={(text) => onChange([...chosen, text])}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
