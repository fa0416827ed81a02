//! How often a request allocates, beside its floor. Apart from the times: counting costs time.

use allocation_counter::measure;
use median_edge_benches::cases::kinds;

fn main() {
    println!("Allocations of one request, beside its floor:\n");
    println!("{:<22} {:>8} {:>8} {:>12}", "", "ours", "floor", "most bytes");
    for case in kinds() {
        let (ours, floor) = (measure(&case.ours), measure(&case.floor));
        println!("{:<22} {:>8} {:>8} {:>12}", case.name, ours.count_total, floor.count_total, ours.bytes_max);
    }
}
