//! Dates of moments, in UTC.

/// Year, month and day of the Gregorian calendar, from days since 1970-01-01. Years are counted from March, so that the
/// leap day is a year's last.
#[must_use]
pub fn date(days_since_epoch: u64) -> (u64, u64, u64) {
    let days = days_since_epoch.saturating_add(719_468);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}
