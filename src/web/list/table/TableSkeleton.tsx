import classes from '#web/list/table/DataTable.module.css'

const rows = Array.from({ length: 12 }, (_, index) => index)

/** Placeholder rows shown while a list loads for the first time. */
export function TableSkeleton({ columns }: { columns: number }) {
  return rows.map((row) => (
    <tr key={row} aria-hidden className={classes.row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} className={classes.cell}>
          <span className={classes.skeleton} style={{ width: `${40 + ((row * 37 + column * 23) % 45)}%` }} />
        </td>
      ))}
    </tr>
  ))
}
