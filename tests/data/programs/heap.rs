// Rust's heap, to be traced: vectors, strings, maps, boxes, reference counts, threads.
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::thread::{sleep, spawn};
use std::time::Duration;

struct Shape {
    name: String,
    points: Vec<(f64, f64)>,
}

#[inline(never)]
fn make_shapes(n: usize) -> Vec<Box<Shape>> {
    (0..n)
        .map(|i| {
            let mut points = Vec::new();
            for k in 0..(4 + i % 5) {
                points.push((k as f64, i as f64));
            }
            Box::new(Shape { name: format!("shape number {i}"), points })
        })
        .collect()
}

#[inline(never)]
fn count_names(shapes: &[Box<Shape>]) -> usize {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for shape in shapes {
        *counts.entry(shape.name.to_uppercase()).or_default() += shape.points.len();
    }
    counts.values().sum()
}

#[inline(never)]
fn sort_names(shapes: &[Box<Shape>]) -> BTreeMap<String, Rc<usize>> {
    shapes.iter().map(|shape| (shape.name.clone(), Rc::new(shape.points.len()))).collect()
}

fn main() {
    let shapes = make_shapes(40);
    sleep(Duration::from_millis(20));
    let mut sum = count_names(&shapes);
    let sorted = sort_names(&shapes);
    sum += sorted.len();
    std::mem::forget(make_shapes(3));
    let thread = spawn(|| make_shapes(25).len());
    sleep(Duration::from_millis(20));
    sum += thread.join().unwrap();
    println!("{sum}");
}

// SPDX-License-Identifier: GPL-3.0-or-later
