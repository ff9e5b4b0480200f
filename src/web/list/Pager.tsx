import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronLeftPipe from '@tabler/icons-react/dist/esm/icons/IconChevronLeftPipe.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconChevronRightPipe from '@tabler/icons-react/dist/esm/icons/IconChevronRightPipe.mjs'
import { pageCount } from '#shared/page.ts'
import { useOptimisticChoice } from '#web/list/useOptimisticChoice.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { countText, totalText } from '#web/time.ts'
import classes from '#web/list/list.module.css'

interface Props {
  /** Undefined while the first page loads. */
  total: number | undefined
  /** Whether there are more rows than `total`, whose number isn't known yet. */
  isCapped?: boolean
  perPage: number | undefined
  page: number
  /** May return a promise that resolves when the page has loaded. */
  onPage: (page: number) => unknown
}

/**
 * Current page and number of pages (total divided by per_page, rounded up: A §7), with buttons for moving to
 * other pages.
 */
export function Pager({ total, isCapped = false, perPage, page: current, onPage }: Props) {
  const [page, toPage] = useOptimisticChoice(current, onPage)
  if (total === undefined || perPage === undefined) return <div className={classes.pager} />
  const last = pageCount(total, perPage)
  const from = (page - 1) * perPage + 1
  const to = Math.min(total, page * perPage)
  return (
    <nav className={classes.pager} aria-label="Pagination">
      <span>
        {from > total
          ? `${totalText(total, isCapped)} total`
          : `${countText(from)}–${countText(to)} of ${totalText(total, isCapped)}`}
      </span>
      <span className={classes.pagerButtons}>
        <Step
          label="First page"
          to={1}
          disabled={page <= 1}
          onPage={toPage}
          icon={<IconChevronLeftPipe size={16} aria-hidden />}
        />
        <Step
          label="Previous page"
          to={Math.min(page - 1, last)}
          disabled={page <= 1}
          onPage={toPage}
          icon={<IconChevronLeft size={16} aria-hidden />}
        />
        <span className={classes.pageOf}>
          {page > last
            ? 'Past the last page'
            : `Page ${countText(page)} of ${isCapped ? `${countText(last - 1)}+` : countText(last)}`}
        </span>
        <Step
          label="Next page"
          to={page + 1}
          disabled={page >= last}
          onPage={toPage}
          icon={<IconChevronRight size={16} aria-hidden />}
        />
        <Step
          label="Last page"
          to={last}
          disabled={isCapped || page >= last}
          onPage={toPage}
          icon={<IconChevronRightPipe size={16} aria-hidden />}
        />
      </span>
    </nav>
  )
}

function Step({
  label,
  to,
  disabled,
  onPage,
  icon,
}: {
  label: string
  to: number
  disabled: boolean
  onPage: (page: number) => void
  icon: React.ReactNode
}) {
  return (
    <IconButton bare label={label} disabled={disabled} onClick={() => onPage(to)}>
      {icon}
    </IconButton>
  )
}
