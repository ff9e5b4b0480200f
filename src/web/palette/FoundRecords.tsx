import { Spotlight } from '@mantine/spotlight'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { PaletteHit } from '#web/palette/Palette.tsx'
import classes from '#web/palette/Palette.module.css'
import { Marked } from '#web/parts/Marked.tsx'

interface Props {
  group: string
  hits: readonly PaletteHit[]
  /** Address of the list with everything that matches, if more matches than is shown. */
  all: string | undefined
  search: string
  onOpen: (to: string) => void
}

/** The records of one kind that were found, with a link to their list if it has more of them. */
export const FoundRecords = ({ group, hits, all, search, onOpen }: Props) => (
  <Spotlight.ActionsGroup label={group}>
    {hits.map((hit) => (
      <Hit key={hit.id} hit={hit} search={search} onOpen={onOpen} />
    ))}
    {all !== undefined && (
      <Spotlight.Action
        data-to={all}
        label={`All ${group.toLowerCase()} that match “${search}”`}
        leftSection={<IconSearch size={14} aria-hidden />}
        onClick={() => onOpen(all)}
      />
    )}
  </Spotlight.ActionsGroup>
)

interface HitProps {
  hit: PaletteHit
  search: string
  onOpen: (to: string) => void
}

/** A record, with what the search found in it marked. */
export const Hit = ({ hit: { to, label, detail }, search, onOpen }: HitProps) => (
  <Spotlight.Action data-to={to} onClick={() => onOpen(to)}>
    <span className={classes.hit}>
      <span>
        <Marked text={label} search={search} />
      </span>{' '}
      <span className={classes.about}>
        <Marked text={detail} search={search} />
      </span>
    </span>
  </Spotlight.Action>
)
