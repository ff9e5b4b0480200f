import type { ReactNode } from 'react'
import IconArrowDownRight from '@tabler/icons-react/dist/esm/icons/IconArrowDownRight.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Sparkline } from '#web/tile/Sparkline.tsx'
import classes from '#web/tile/tile.module.css'

export interface Change {
  direction: 'up' | 'down' | 'same'
  /** Whether the change is good; undefined if it is neither good nor bad. */
  isGood?: boolean | undefined
  /** Describes the change, such as `12 more than before`. */
  text: string
}

interface Props {
  name: string
  value: string | number
  /** More about the number, such as `of 31 closed`. */
  detail?: string | undefined
  /** Address of exactly the records that the detail counts. */
  detailTo?: string | undefined
  change?: Change | undefined
  /** The number over time, oldest first. */
  series?: readonly number[] | undefined
  /** Address of exactly the records that the number counts. */
  to?: string | undefined
}

/**
 * A number with its trend; the whole tile links to the records that it counts, except its detail if that links to other
 * records.
 */
export function Tile({ name, value, detail, detailTo, change, series, to }: Props) {
  const shown = typeof value === 'number' ? value.toLocaleString('en-US') : value
  const partsOf = (heading: ReactNode) => (
    <>
      <span className={classes.name}>{heading}</span>
      <span className={classes.value}>
        {shown}
        {detail !== undefined && (
          <>
            {' '}
            <small>
              {detailTo === undefined ? (
                detail
              ) : (
                <PageLink to={detailTo} className={classes.detail}>
                  {detail}
                </PageLink>
              )}
            </small>
          </>
        )}
      </span>
      {change && <ChangeLine {...change} />}
      {series && series.length > 1 && <Sparkline values={series} className={classes.spark} />}
    </>
  )
  if (to === undefined) return <div className={classes.tile}>{partsOf(name)}</div>
  const looks = `${classes.tile} ${classes.link}`
  // A link can't contain another one, so the name is the link, and it covers the tile.
  return detailTo === undefined ? (
    <PageLink to={to} className={looks}>
      {partsOf(name)}
    </PageLink>
  ) : (
    <div className={looks}>
      {partsOf(
        <PageLink to={to} className={classes.cover} aria-label={`${name} ${shown}`}>
          {name}
        </PageLink>,
      )}
    </div>
  )
}

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconArrowRight }

function ChangeLine({ direction, isGood, text }: Change) {
  const Arrow = arrows[direction]
  return (
    <span className={classes.change}>
      <Arrow size={14} className={classes.arrow} data-good={isGood} aria-hidden />
      <span>{text}</span>
    </span>
  )
}

/**
 * Describes how a count differs from the one before it; `better` says whether more or less is good. `than` is omitted
 * where the page says what it compares with. Pass other words for a number that isn't a count.
 */
export function changeOf(
  now: number,
  before: number,
  than: string | undefined,
  better?: 'more' | 'less',
  { more = 'more', less = 'fewer', amount = (by: number) => by.toLocaleString('en-US') } = {},
): Change {
  if (now === before) return { direction: 'same', text: 'No change' }
  const isMore = now > before
  return {
    direction: isMore ? 'up' : 'down',
    isGood: better && isMore === (better === 'more'),
    text: `${amount(Math.abs(now - before))} ${isMore ? more : less}${than === undefined ? '' : ` than ${than}`}`,
  }
}

/** Tiles next to each other; renders nothing without any. */
export const TileRow = ({ children }: { children: ReactNode }) => (
  <div className={classes.row}>{children}</div>
)

/** Tiles of one subject in a frame, with lines between them. Groups are beside each other where they fit. */
export const TileGroup = ({ children }: { children: ReactNode }) => (
  <div className={classes.group}>{children}</div>
)

/** Groups of tiles, each as wide as its tiles need. */
export const TileGroups = ({ children }: { children: ReactNode }) => (
  <div className={classes.groups}>{children}</div>
)

interface Query<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

interface TileOfProps<Data> {
  /** The tile's name, also while it loads. */
  name: string
  query: Query<Data>
  children: (data: Data) => Omit<Props, 'name'>
}

/** A tile that loads its own number, and that says if it can't. */
export function TileOf<Data>({ name, query, children }: TileOfProps<Data>) {
  if (query.data !== undefined) return <Tile name={name} {...children(query.data)} />
  if (query.isLoading) return <div className={`${classes.tile} ${classes.loading}`} aria-hidden />
  if (!query.error) return null
  return (
    <div className={classes.tile} role="alert">
      <span className={classes.name}>{name}</span>
      <Soft>Couldn’t be loaded</Soft>
      <LinkButton aria-label={`Retry: ${name}`} onClick={() => void query.refetch()}>
        Retry
      </LinkButton>
    </div>
  )
}
