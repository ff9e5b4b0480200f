import type { ReactNode } from 'react'
import { Spotlight } from '@mantine/spotlight'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { PaletteHit } from '#web/palette/Palette.tsx'
import classes from '#web/palette/Palette.module.css'
import { opensActs } from '#web/palette/resultActs.ts'
import { Marked } from '#web/parts/Marked.tsx'

interface Props {
  group: string
  hits: readonly PaletteHit[]
  /** Address of the list with everything that matches, if more matches than is shown. */
  all: string | undefined
  search: string
  /** Returns the icon of an address: that of its page in the menu. */
  iconOf: (to: string) => ReactNode
  onOpen: (to: string) => void
  onActs: (hit: PaletteHit) => void
}

/** The records of one kind that were found, with a link to their list if it has more of them. */
export const FoundRecords = ({ group, hits, all, search, iconOf, onOpen, onActs }: Props) => (
  <Spotlight.ActionsGroup label={group}>
    {hits.map((hit) => (
      <Hit key={hit.id} {...{ hit, search, iconOf, onOpen, onActs }} />
    ))}
    {all !== undefined && (
      <Spotlight.Action
        data-to={all}
        label={`All ${group.toLowerCase()} that match “${search}”`}
        leftSection={<IconSearch size={16} aria-hidden />}
        onClick={() => onOpen(all)}
      />
    )}
  </Spotlight.ActionsGroup>
)

interface HitProps extends Pick<Props, 'search' | 'iconOf' | 'onOpen' | 'onActs'> {
  hit: PaletteHit
}

/** A record, with what the search found in it marked. */
export const Hit = ({ hit, search, iconOf, onOpen, onActs }: HitProps) => (
  <Spotlight.Action
    data-to={hit.to}
    onClick={() => onOpen(hit.to)}
    onContextMenu={opensActs(() => onActs(hit))}
  >
    <span className={classes.icon}>{iconOf(hit.to)}</span>
    <span className={classes.hit}>
      <span>
        <Marked text={hit.label} search={search} />
      </span>{' '}
      <span className={classes.about}>
        <Marked text={hit.detail} search={search} />
      </span>
    </span>
  </Spotlight.Action>
)
