import { Fragment, Suspense, useState, type ReactNode } from 'react'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import type { z } from 'zod'
import type { EndpointShape } from '#shared/endpoint.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'
import { chipsOf, clearedBy, FilterChips } from '#web/filter/FilterChips.tsx'
import { FilterPanel } from '#web/filter/FilterPanel.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { ViewsMenu } from '#web/filter/ViewsMenu.tsx'
import { ColumnPicker } from '#web/list/table/ColumnPicker.tsx'
import classes from '#web/list/list.module.css'
import { mayTrash, type List, type ListFilters } from '#web/list/useList.ts'
import { usePhone } from '#web/list/usePhone.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { storedByPage, storeForPage, useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { totalText } from '#web/time.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

const TrashDialog = lazyPart(() => import('#web/record/TrashDialog.tsx'))

/** An item in a list's "More" menu. */
export interface MoreItem {
  label: string
  onClick: () => void
}

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  filters?: readonly Filter<z.output<S>>[]
  /** Items of the "More" menu, before the export and the trash. */
  more?: readonly MoreItem[]
  /** Shown instead of the column picker, for rows without columns. */
  tools?: ReactNode
  /** Covers the toolbar, such as the actions on the selected rows. */
  children?: ReactNode
}

/** A list's toolbar: search, filters, views, columns, and the "More" menu; below it, the active filters. */
export function Filters<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  const { list, filters = [], children } = props
  if (!list.may) return null
  const { splitSearch } = list.definition
  const active = chipsOf(filters, list.filters, (change) => void list.filterBy(change), splitSearch)
  return (
    <>
      <div className={classes.toolbarFrame} data-selected={!list.selection.isEmpty || undefined}>
        <Toolbar {...props} filters={filters} active={active.length} />
        {children}
      </div>
      {active.length > 0 && (
        <FilterChips
          active={active}
          onClearAll={() => void list.filterBy(clearedBy(filters, list.filters))}
        />
      )}
    </>
  )
}

function Toolbar<Row, S extends z.ZodType<ListFilters>>({
  list,
  filters = [],
  more = [],
  tools,
  active,
}: Props<Row, S> & { active: number }) {
  const { searchLabel, searchHelp, storedPanel } = list.definition
  const [open, setOpen] = useState(() => storedPanel !== undefined && storedByPage(storedPanel) === '1')
  const isPhone = usePhone()
  // A phone has room only for the search, so all filters are behind one button.
  const behind = isPhone ? filters : filters.filter((filter) => filter.more)
  const show = (filter: Filter<z.output<S>>) => (
    <Fragment key={filter.id}>
      {filter.control(list.filters, (change) => void list.filterBy(change))}
    </Fragment>
  )

  function toggle(): void {
    if (storedPanel !== undefined) storeForPage(storedPanel, open ? '0' : '1')
    setOpen(!open)
  }

  return (
    <section className={classes.toolbar} aria-label="Filters">
      {searchLabel && (
        <SearchBox
          label={searchLabel}
          help={searchHelp}
          value={list.filters.search ?? ''}
          onSearch={(search) => void list.filterBy({ search } as Partial<z.output<S>>, { replace: true })}
        />
      )}
      {!isPhone && filters.filter((filter) => !filter.more).map(show)}
      {behind.length > 0 && (
        <TextButton
          icon={<IconAdjustmentsHorizontal size={14} aria-hidden />}
          aria-expanded={open}
          onClick={toggle}
        >
          {isPhone ? `Filters${active ? ` (${active})` : ''}` : open ? 'Fewer filters' : 'More filters'}
        </TextButton>
      )}
      <span className={classes.toolbarEnd}>
        <VisuallyHidden aria-live="polite">
          {list.total === undefined
            ? ''
            : `${totalText(list.total, list.isCapped)} ${list.total === 1 ? 'row' : 'rows'}`}
        </VisuallyHidden>
        <ViewsMenu list={list} />
        {tools ?? (list.columns.all.length > 0 && <ColumnPicker columns={list.columns} />)}
        <More list={list} items={more} />
      </span>
      {open && behind.length > 0 && (
        <div className={classes.moreFilters}>
          <FilterPanel
            filters={behind}
            now={list.filters}
            onChange={(change) => void list.filterBy(change)}
          />
        </div>
      )}
    </section>
  )
}

/** Menu with the page's own items, the export, and the trash. */
function More<Row, S extends z.ZodType<ListFilters>>({
  list,
  items,
}: {
  list: List<Row, S>
  items: readonly MoreItem[]
}) {
  const { props: button, wanted, at } = useMenuButton()
  const [isTrashOpen, setTrashOpen] = useState(false)
  const { download } = useDownload()
  // The endpoint's type is known only to the page, so the call is cast. The endpoint takes the same filters
  // as the list.
  const downloadAs = download as (name: string, endpoint: EndpointShape, input: object) => Promise<void>
  const { name, type, endpoint, exportCsv, exportQuery } = list.definition
  const hasTrash = mayTrash(type, useViewer())
  const mayExport = useMay(exportCsv ?? endpoint, { query: list.requestQuery })
  const all: readonly MoreItem[] = [
    ...items,
    ...(exportCsv && mayExport
      ? [
          {
            label: 'Export as CSV',
            onClick: () =>
              void downloadAs(`${name}.csv`, exportCsv, {
                query: { ...list.requestQuery, page: undefined, ...exportQuery?.() },
              }),
          },
        ]
      : []),
    ...(hasTrash ? [{ label: 'Trash', onClick: () => setTrashOpen(true) }] : []),
  ]
  if (!all.length) return null
  return (
    <>
      <TextButton icon={<IconDots size={14} aria-hidden />} {...button}>
        More
      </TextButton>
      {wanted && (
        <Menu {...at} label="More" end>
          {all.map(({ label, onClick }) => (
            <MenuItem key={label} onClick={onClick}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
      {isTrashOpen && type && (
        <Suspense>
          <TrashDialog
            type={type}
            product={list.definition.scopedBy ? list.scope : undefined}
            onClose={() => setTrashOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
