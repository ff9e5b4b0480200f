import type { ReactNode } from 'react'
import { Spotlight } from '@mantine/spotlight'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { FoundRecords, Hit } from '#web/palette/FoundRecords.tsx'
import type { PageAct } from '#web/palette/pageActs.ts'
import type { PaletteHit } from '#web/palette/Palette.tsx'
import classes from '#web/palette/Palette.module.css'
import { opensActs } from '#web/palette/resultActs.ts'
import { activeLink, goLinksOf, linksOf, type MenuGroup } from '#web/shell/menu.ts'

/** The records of one kind that were found. */
export interface Found {
  group: string
  hits: readonly PaletteHit[]
  all: string | undefined
  isNamedByNumber: boolean
  /** Whether the hits of this text have not arrived yet. */
  isFetching: boolean
}

/** What matches a text. */
export interface Matches {
  found: readonly Found[]
  acts: readonly PageAct[]
  recent: readonly PaletteHit[]
  creates: readonly PageAct[]
  pages: readonly { to: string; label: string; group: string }[]
}

interface ResultsProps extends Matches {
  /** The menu, which has the icons and letters of the pages. */
  groups: readonly MenuGroup[]
  search: string
  record: PaletteHit | undefined
  onRun: (act: PageAct) => void
  onOpen: (to: string) => void
  onActs: (hit: PaletteHit) => void
}

/** The results, the best hits first. */
export function Results(props: ResultsProps) {
  const { found, acts, recent, creates, pages, groups, search, record, onRun, onOpen, onActs } = props
  const goKeys = new Map(goLinksOf(groups).map(({ key, to }) => [to, key.toUpperCase()]))
  const iconOf = (to: string) => menuIcon(groups, to)
  const isEmpty = [acts, creates, recent, pages, ...found.map(({ hits }) => hits)].every(
    ({ length }) => length === 0,
  )
  const isSearching = found.some(({ isFetching }) => isFetching)
  return (
    <Spotlight.ActionsList>
      {found.map(({ group, hits, all }) =>
        hits.length > 0 ? (
          <FoundRecords key={group} {...{ group, hits, all, search, iconOf, onOpen, onActs }} />
        ) : null,
      )}
      {[...new Set(acts.map(groupOf))].map((group) => (
        <Acts
          key={group}
          label={group === thisPage && record ? `This ${record.detail}` : group}
          acts={acts.filter((act) => groupOf(act) === group)}
          onRun={onRun}
        />
      ))}
      {recent.length > 0 && (
        <Spotlight.ActionsGroup label="Recent">
          {recent.map((hit) => (
            <Hit key={hit.id} {...{ hit, search, iconOf, onOpen, onActs }} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {creates.length > 0 && (
        <Acts label="Create" acts={creates} icon={<IconPlus size={16} aria-hidden />} onRun={onRun} />
      )}
      {pages.length > 0 && (
        <Spotlight.ActionsGroup label="Pages">
          {pages.map((page) => (
            <Spotlight.Action
              key={page.to}
              data-to={page.to}
              label={page.label}
              description={page.group}
              leftSection={iconOf(page.to)}
              rightSection={goKeys.get(page.to) && <kbd className={classes.key}>G {goKeys.get(page.to)}</kbd>}
              onClick={() => onOpen(page.to)}
              onContextMenu={opensActs(() => onActs(hitOfPage(page)))}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {isEmpty && <Spotlight.Empty>{isSearching ? 'Searching…' : 'No results found.'}</Spotlight.Empty>}
    </Spotlight.ActionsList>
  )
}

/** Returns the icon that the menu has for an address. */
function menuIcon(groups: readonly MenuGroup[], to: string): ReactNode {
  const { pathname, search } = new URL(to, location.href)
  const link = activeLink(groups, pathname, search)
  const Icon = linksOf(groups).find((one) => one.to === link)?.icon ?? IconHome
  return <Icon size={16} aria-hidden />
}

const thisPage = 'This page'
const groupOf = ({ group = thisPage }: PageAct) => group

/** Returns a page of the menu as a result. */
export const hitOfPage = ({ to, label, group }: Matches['pages'][number]): PaletteHit => ({
  id: to,
  label,
  detail: group,
  to,
})

const Acts = ({
  label,
  acts,
  icon = <IconArrowRight size={16} aria-hidden />,
  onRun,
}: {
  label: string
  acts: readonly PageAct[]
  /** Icon of actions that have none. */
  icon?: ReactNode
  onRun: (act: PageAct) => void
}) => (
  <Spotlight.ActionsGroup label={label}>
    {acts.map((act) => (
      <Spotlight.Action
        key={act.id}
        label={act.label}
        description={act.detail}
        leftSection={act.icon ?? icon}
        closeSpotlightOnTrigger={!act.choices}
        rightSection={
          act.letter ? (
            <kbd className={classes.key}>{act.letter.toUpperCase()}</kbd>
          ) : (
            act.choices && <IconChevronRight size={14} aria-hidden />
          )
        }
        onClick={() => onRun(act)}
      />
    ))}
  </Spotlight.ActionsGroup>
)
