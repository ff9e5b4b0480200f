import classes from '#features/panel/dashboard/web/dashboard.module.css'

export function DashboardSkeleton() {
  return (
    <>
      <div className={classes.three}>
        {[1, 2, 3].map((card) => (
          <div key={card} className={classes.cardSkeleton} />
        ))}
      </div>
      <div className={classes.two}>
        {[1, 2].map((card) => (
          <div key={card} className={classes.cardSkeleton} />
        ))}
      </div>
    </>
  )
}
