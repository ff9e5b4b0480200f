import { Suspense, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Checkbox } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import { media, MediaFilters, type Medium } from '#features/cms/articles/media/contract.ts'
import { MediaUpload } from '#features/cms/articles/media/web/MediaUpload.tsx'
import classes from '#features/cms/articles/media/web/media.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { EmptyState, ErrorState, LoadingState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { useProduct } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { countText } from '#web/time.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

const DeleteMedia = lazyPart(() => import('#features/cms/articles/media/web/DeleteMedia.tsx'), 'DeleteMedia')
const MediaDialog = lazyPart(() => import('#features/cms/articles/media/web/MediaDialog.tsx'), 'MediaDialog')

/** Refetch interval, because image URLs expire after five minutes. */
const freshMs = 200_000

const none: ReadonlyMap<number, string> = new Map()

/** Page with the media library. */
export function MediaPage() {
  const product_id = useProduct()
  const may = useMay(media.list)
  if (!may) return <NoAccessPage />
  if (product_id === undefined)
    return (
      <div className={classes.page} data-sheet>
        <Library product_id={undefined} />
      </div>
    )
  return (
    <MediaUpload key={product_id} product_id={product_id}>
      {(button, queue) => <Library product_id={product_id} button={button} queue={queue} />}
    </MediaUpload>
  )
}

interface LibraryProps {
  product_id: number | undefined
  button?: ReactNode
  queue?: ReactNode
}

function Library({ product_id, button, queue }: LibraryProps) {
  const [filters, filterBy] = useAddress(MediaFilters)
  const [open, setOpen] = useState<number>()
  const query = { ...toAddress(MediaFilters, filters), ...(product_id === undefined ? {} : { product_id }) }
  const { data, error, refetch, isLoading } = useQuery({
    ...queryOptionsFor(media.list, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: freshMs,
  })
  const mayRemove = useMay(media.remove, { body: { ids: [1] } })
  const { ticked, tick, tickAll, clear } = useTicked(JSON.stringify(query))
  const shown = data?.data.find(({ id }) => id === open)
  return (
    <>
      <div className={classes.head}>
        <PageHeader>{button}</PageHeader>
      </div>
      <div className={classes.bar} role="region" aria-label="Filters">
        <SearchBox
          label="Search images"
          value={filters.search}
          onSearch={(search) => void filterBy({ search }, { replace: true })}
        />
        <Shown
          counts={data?.counts}
          chosen={filters.show}
          onChoose={(show) => void filterBy({ show, page: 1 })}
        />
        <Suspense>{mayRemove && ticked.size > 0 && <DeleteMedia names={ticked} onDone={clear} />}</Suspense>
      </div>
      {queue}
      <div className={classes.scroll}>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isLoading ? (
          <LoadingState />
        ) : data?.data.length === 0 ? (
          <EmptyState title={filters.search || filters.show ? 'No results' : 'No images yet'}>
            {filters.search || filters.show
              ? 'No images match your filters.'
              : 'Upload your first image, or drop it here.'}
          </EmptyState>
        ) : (
          <ul
            className={classes.grid}
            aria-label="Images"
            onKeyDown={(event) => pressInGrid(event, mayRemove ? () => tickAll(data?.data ?? []) : undefined)}
          >
            {data?.data.map((medium) => (
              <Tile
                key={medium.id}
                medium={medium}
                isOpen={medium.id === open}
                isTicked={ticked.has(medium.id)}
                onOpen={() => setOpen(medium.id)}
                onTick={mayRemove ? () => tick(medium) : undefined}
              />
            ))}
          </ul>
        )}
      </div>
      <div className={classes.foot}>
        <Pager
          total={data?.total}
          perPage={data?.per_page}
          page={filters.page}
          onPage={(page) => filterBy({ page })}
        />
      </div>
      <Suspense>
        {shown && <MediaDialog key={shown.id} medium={shown} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}

const shows = [
  [undefined, 'All'],
  ['unused', 'Unused'],
  ['without-alt', 'No alt text'],
] as const

function Shown({
  counts,
  chosen,
  onChoose,
}: {
  counts: Reply<typeof media.list>['counts'] | undefined
  chosen: MediaFilters['show']
  onChoose: (show: MediaFilters['show']) => void
}) {
  return (
    <div className={classes.shows} role="group" aria-label="Show">
      {shows.map(([show, name]) => (
        <button key={name} type="button" aria-pressed={show === chosen} onClick={() => onChoose(show)}>
          {name} {counts && <span>{countText(counts[show ?? 'all'])}</span>}
        </button>
      ))}
    </div>
  )
}

/** Arrow keys move among the images, X selects one, and Ctrl+A all of them. */
function pressInGrid(event: KeyboardEvent<HTMLUListElement>, onAll: (() => void) | undefined): void {
  const pictures = [...event.currentTarget.querySelectorAll<HTMLElement>('li > button')]
  const at = pictures.findIndex((one) => one.parentElement?.contains(document.activeElement))
  const { key } = event
  if (key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && onAll) onAll()
  else if (event.ctrlKey || event.metaKey || event.altKey || at < 0) return
  else if (key === 'x') pictures[at]!.parentElement!.querySelector<HTMLElement>('input')?.click()
  else {
    const perRow = pictures.findIndex((one) => one.offsetTop > pictures[0]!.offsetTop)
    const row = perRow > 0 ? perRow : pictures.length
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[key]
    if (step === undefined) return
    pictures[at + step]?.focus()
  }
  event.preventDefault()
}

/** Selection of images; changing what is shown clears it, so that only visible images can be deleted. */
function useTicked(shownBy: string) {
  // Stores the names, because the delete confirmation lists them.
  const [ticked, setTicked] = useState<ReadonlyMap<number, string>>(none)
  const [tickedUnder, setTickedUnder] = useState(shownBy)
  if (tickedUnder !== shownBy) {
    setTickedUnder(shownBy)
    setTicked(none)
  }
  const tick = ({ id, file }: Medium) => {
    const next = new Map(ticked)
    if (!next.delete(id)) next.set(id, file.name)
    setTicked(next)
  }
  const tickAll = (images: readonly Medium[]) =>
    setTicked(new Map(images.map(({ id, file }) => [id, file.name] as const)))
  return { ticked, tick, tickAll, clear: () => setTicked(none) }
}

interface TileProps {
  medium: Medium
  isOpen: boolean
  isTicked: boolean
  onOpen: () => void
  /** Absent if the viewer can't delete images. */
  onTick: (() => void) | undefined
}

function Tile({ medium, isOpen, isTicked, onOpen, onTick }: TileProps) {
  const { file, alt, decorative } = medium
  return (
    <li className={classes.tile} data-ticked={isTicked || undefined} data-open={isOpen || undefined}>
      <button type="button" className={classes.picture} onClick={onOpen}>
        <VisuallyHidden>Open {file.name} </VisuallyHidden>
        <img src={file.small_url ?? file.url} alt={alt} loading="lazy" />
        {alt === '' && !decorative && (
          <span className={classes.flag}>
            <IconAlertTriangle size={13} aria-hidden /> No alt text
          </span>
        )}
      </button>
      {onTick && (
        <Checkbox
          className={classes.tick}
          size="xs"
          aria-label={`Select ${file.name}`}
          checked={isTicked}
          onChange={onTick}
        />
      )}
      <span className={classes.name} title={file.name}>
        {file.name}
      </span>
      <Soft as="span" small>
        {sizeOf(medium)}
      </Soft>
      <Soft as="span" small>
        {usesOf(medium)}
      </Soft>
    </li>
  )
}

const sizeOf = ({ file, width, height }: Medium) =>
  `${width !== null && height !== null ? `${width} × ${height} · ` : ''}${sizeInWords(file.bytes)}`

const usesOf = ({ places }: Medium) =>
  places.length === 0 ? 'Unused' : `Used in ${places.length === 1 ? '1 place' : `${places.length} places`}`
